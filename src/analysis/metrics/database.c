/* Compiler flags from a compile_commands.json, through libclang. */
#include "clang_unit.h"

#include <clang-c/CXCompilationDatabase.h>

static void command_flags(CXCompileCommand command, struct cc_arena *arena, struct cc_strs *flags)
{
    unsigned n = clang_CompileCommand_getNumArgs(command);
    for (unsigned i = 1; i < n; i++) /* 0 is the compiler */
        CC_VEC_PUSH(flags, cc_cu_keep(arena, clang_CompileCommand_getArg(command, i)));
}

int cc_tree_database_flags(const char *dir, const char *source, struct cc_arena *arena, struct cc_strs *flags,
                           const char **ret_folder, struct cc_err *err)
{
    CXCompilationDatabase_Error code =
        CXCompilationDatabase_CanNotLoadDatabase; /* stays so without libclang */
    CXCompilationDatabase db = clang_CompilationDatabase_fromDirectory(dir, &code);
    if (code != CXCompilationDatabase_NoError)
        return cc_err_set(err, CC_EINPUT, "cannot read '%s/compile_commands.json'", dir);
    CXCompileCommands commands = clang_CompilationDatabase_getCompileCommands(db, source);
    int rc = 0;
    if (!commands || clang_CompileCommands_getSize(commands) == 0) {
        rc = cc_err_at(err, CC_EINPUT, source, 0, "not in '%s/compile_commands.json'", dir);
    } else {
        CXCompileCommand command = clang_CompileCommands_getCommand(commands, 0);
        *ret_folder = cc_cu_keep(arena, clang_CompileCommand_getDirectory(command));
        command_flags(command, arena, flags);
    }
    if (commands)
        clang_CompileCommands_dispose(commands);
    clang_CompilationDatabase_dispose(db);
    return rc;
}
