/* libclang, loaded when it is first used. Linking it costs every run of the tool, whatever the command, 55 MB
 * of memory and the time to relocate it; only the area commands need it. Each function here has libclang's
 * own name and passes the call on. Without the library the functions return zeros, and parsing fails with
 * CXError_Crashed. */
#include <clang-c/CXCompilationDatabase.h>
#include <clang-c/Index.h>

#include "../../base/lazy.h"

static const char *const names[] = {CC_SONAME_CLANG, NULL};
static struct cc_lazy library = {.names = names};

#define FORWARD(name, type, params, args) CC_LAZY(library, (type){0}, type, name, params, args)
#define FORWARD_VOID(name, params, args) CC_LAZY_VOID(library, name, params, args)

/* clang-format off */
FORWARD_VOID(clang_CompilationDatabase_dispose, (CXCompilationDatabase a), (a))
FORWARD(clang_CompilationDatabase_fromDirectory, CXCompilationDatabase, (const char *a, CXCompilationDatabase_Error *b), (a, b))
FORWARD(clang_CompilationDatabase_getCompileCommands, CXCompileCommands, (CXCompilationDatabase a, const char *b), (a, b))
FORWARD(clang_CompileCommand_getArg, CXString, (CXCompileCommand a, unsigned b), (a, b))
FORWARD(clang_CompileCommand_getDirectory, CXString, (CXCompileCommand a), (a))
FORWARD(clang_CompileCommand_getNumArgs, unsigned, (CXCompileCommand a), (a))
FORWARD_VOID(clang_CompileCommands_dispose, (CXCompileCommands a), (a))
FORWARD(clang_CompileCommands_getCommand, CXCompileCommand, (CXCompileCommands a, unsigned b), (a, b))
FORWARD(clang_CompileCommands_getSize, unsigned, (CXCompileCommands a), (a))
FORWARD(clang_Cursor_Evaluate, CXEvalResult, (CXCursor a), (a))
FORWARD_VOID(clang_EvalResult_dispose, (CXEvalResult a), (a))
FORWARD(clang_EvalResult_getAsLongLong, long long, (CXEvalResult a), (a))
FORWARD(clang_EvalResult_getKind, CXEvalResultKind, (CXEvalResult a), (a))
FORWARD(clang_CXXMethod_isConst, unsigned, (CXCursor a), (a))
FORWARD(clang_CXXMethod_isVirtual, unsigned, (CXCursor a), (a))
FORWARD(clang_CXXMethod_isStatic, unsigned, (CXCursor a), (a))
FORWARD(clang_getNumArgTypes, int, (CXType a), (a))
FORWARD(clang_getArgType, CXType, (CXType a, unsigned b), (a, b))
FORWARD(clang_Cursor_getNumArguments, int, (CXCursor a), (a))
FORWARD(clang_Cursor_getArgument, CXCursor, (CXCursor a, unsigned b), (a, b))
FORWARD(clang_isConstQualifiedType, unsigned, (CXType a), (a))
FORWARD(clang_isVolatileQualifiedType, unsigned, (CXType a), (a))
FORWARD(clang_Cursor_getStorageClass, enum CX_StorageClass, (CXCursor a), (a))
FORWARD(clang_Cursor_isNull, int, (CXCursor a), (a))
FORWARD(clang_Cursor_isVariadic, unsigned, (CXCursor a), (a))
FORWARD(clang_Location_isInSystemHeader, int, (CXSourceLocation a), (a))
FORWARD(clang_Type_getNumTemplateArguments, int, (CXType a), (a))
FORWARD(clang_Type_getTemplateArgumentAsType, CXType, (CXType a, unsigned b), (a, b))
FORWARD(clang_Type_visitFields, unsigned, (CXType a, CXFieldVisitor b, CXClientData c), (a, b, c))
FORWARD(clang_Type_getSizeOf, long long, (CXType a), (a))
FORWARD(clang_createIndex, CXIndex, (int a, int b), (a, b))
FORWARD_VOID(clang_disposeDiagnostic, (CXDiagnostic a), (a))
FORWARD_VOID(clang_disposeIndex, (CXIndex a), (a))
FORWARD_VOID(clang_disposeString, (CXString a), (a))
FORWARD_VOID(clang_disposeTokens, (CXTranslationUnit a, CXToken *b, unsigned c), (a, b, c))
FORWARD_VOID(clang_disposeTranslationUnit, (CXTranslationUnit a), (a))
FORWARD(clang_equalCursors, unsigned, (CXCursor a, CXCursor b), (a, b))
FORWARD(clang_getArrayElementType, CXType, (CXType a), (a))
FORWARD(clang_getArraySize, long long, (CXType a), (a))
FORWARD(clang_getCString, const char *, (CXString a), (a))
FORWARD(clang_getCanonicalCursor, CXCursor, (CXCursor a), (a))
FORWARD(clang_getCanonicalType, CXType, (CXType a), (a))
FORWARD(clang_getClangVersion, CXString, (void), ())
FORWARD(clang_getCursorExtent, CXSourceRange, (CXCursor a), (a))
FORWARD(clang_getCursorKind, enum CXCursorKind, (CXCursor a), (a))
FORWARD(clang_getCursorLinkage, enum CXLinkageKind, (CXCursor a), (a))
FORWARD(clang_getCursorLocation, CXSourceLocation, (CXCursor a), (a))
FORWARD(clang_getCursorReferenced, CXCursor, (CXCursor a), (a))
FORWARD(clang_getNumOverloadedDecls, unsigned, (CXCursor a), (a))
FORWARD(clang_getOverloadedDecl, CXCursor, (CXCursor a, unsigned b), (a, b))
FORWARD(clang_getCursorSemanticParent, CXCursor, (CXCursor a), (a))
FORWARD(clang_getCursorSpelling, CXString, (CXCursor a), (a))
FORWARD(clang_getCursorType, CXType, (CXCursor a), (a))
FORWARD(clang_getCursorUSR, CXString, (CXCursor a), (a))
FORWARD(clang_getDiagnostic, CXDiagnostic, (CXTranslationUnit a, unsigned b), (a, b))
FORWARD(clang_getDiagnosticLocation, CXSourceLocation, (CXDiagnostic a), (a))
FORWARD(clang_getDiagnosticSeverity, enum CXDiagnosticSeverity, (CXDiagnostic a), (a))
FORWARD(clang_getDiagnosticSpelling, CXString, (CXDiagnostic a), (a))
FORWARD(clang_getElementType, CXType, (CXType a), (a))
FORWARD(clang_getEnumConstantDeclValue, long long, (CXCursor a), (a))
FORWARD(clang_getFieldDeclBitWidth, int, (CXCursor a), (a))
FORWARD_VOID(clang_getFileLocation, (CXSourceLocation a, CXFile *b, unsigned *c, unsigned *d, unsigned *e), (a, b, c, d, e))
FORWARD(clang_getNullCursor, CXCursor, (void), ())
FORWARD(clang_getNumDiagnostics, unsigned, (CXTranslationUnit a), (a))
FORWARD(clang_getPointeeType, CXType, (CXType a), (a))
FORWARD(clang_getRangeEnd, CXSourceLocation, (CXSourceRange a), (a))
FORWARD(clang_getRangeStart, CXSourceLocation, (CXSourceRange a), (a))
FORWARD(clang_getTokenExtent, CXSourceRange, (CXTranslationUnit a, CXToken b), (a, b))
FORWARD(clang_getTokenKind, CXTokenKind, (CXToken a), (a))
FORWARD(clang_getTranslationUnitCursor, CXCursor, (CXTranslationUnit a), (a))
FORWARD(clang_getSpecializedCursorTemplate, CXCursor, (CXCursor a), (a))
FORWARD(clang_getCursorResultType, CXType, (CXCursor a), (a))
FORWARD(clang_getTypeDeclaration, CXCursor, (CXType a), (a))
FORWARD(clang_getTypeSpelling, CXString, (CXType a), (a))
FORWARD(clang_hashCursor, unsigned, (CXCursor a), (a))
FORWARD(clang_Cursor_isBitField, unsigned, (CXCursor a), (a))
FORWARD(clang_Cursor_getOffsetOfField, long long, (CXCursor a), (a))
FORWARD(clang_isAttribute, unsigned, (enum CXCursorKind a), (a))
FORWARD(clang_isCursorDefinition, unsigned, (CXCursor a), (a))
FORWARD(clang_isDeclaration, unsigned, (enum CXCursorKind a), (a))
FORWARD(clang_isExpression, unsigned, (enum CXCursorKind a), (a))
FORWARD(clang_isReference, unsigned, (enum CXCursorKind a), (a))
FORWARD_VOID(clang_tokenize, (CXTranslationUnit a, CXSourceRange b, CXToken **c, unsigned *d), (a, b, c, d))
FORWARD(clang_visitChildren, unsigned, (CXCursor a, CXCursorVisitor b, CXClientData c), (a, b, c))
/* clang-format on */

enum CXErrorCode clang_parseTranslationUnit2(CXIndex index, const char *file, const char *const *args,
                                             int nargs, struct CXUnsavedFile *unsaved, unsigned nunsaved,
                                             unsigned options, CXTranslationUnit *unit)
{
    CC_LAZY_TARGET(library, clang_parseTranslationUnit2);
    return target ? target(index, file, args, nargs, unsaved, nunsaved, options, unit) : CXError_Crashed;
}
