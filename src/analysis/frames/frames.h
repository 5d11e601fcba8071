/* The run frame by frame: how long each region ran, and which frame's data each frame read. */
#ifndef CC_ANALYSIS_FRAMES_FRAMES_H
#define CC_ANALYSIS_FRAMES_FRAMES_H

#include "../../profile/names.h"

/* What one frame has to do with a stream, bytes. */
struct cc_frame_use {
    uint32_t frame;
    uint64_t intra;   /* read in it, of what was written in it */
    uint64_t earlier; /* read in it, of what earlier frames wrote */
    uint64_t later;   /* written in it and read in later frames */
};

struct cc_frame_stream {
    const char *from, *to;
    bool self;
    uint64_t bytes, intra;             /* read in all; of that, in the frame it was written in */
    const struct cc_rec_flow *entries; /* the matrix of frames, without zeros: by consumer's frame, then
                                          producer's */
    size_t nentries;
    struct cc_frame_use *uses; /* by frame; those that are not all zero */
    size_t nuses;
    uint32_t peak; /* the frame that read most */
    uint64_t peak_bytes;
};

struct cc_frame_region {
    uint32_t region;
    const char *name;
    uint64_t instructions; /* over all frames */
};

struct cc_frames {
    enum cc_level by;                       /* of the streams: function or region */
    const struct cc_rec_frame *frames;      /* [0]: before the first mark; borrowed from the profile */
    const struct cc_rec_frame_part **parts; /* by frame, longest region first */
    size_t *first;                          /* parts of frame i: from first[i] up to first[i + 1] */
    size_t nframes;
    const char **region_names;       /* of all regions */
    struct cc_frame_region *regions; /* those that ran, longest first */
    size_t nregions;
    struct cc_frame_stream *streams; /* most bytes first */
    size_t nstreams, hidden;
    uint64_t between, hidden_bytes; /* bytes between different nodes; of streams the filter left out */
    bool cut;                       /* the last frame stands for all that followed */
    struct cc_arena arena;
};

/* by: CC_LEVEL_FUNCTION or CC_LEVEL_REGION. min_share is of the bytes between different nodes, focus: only
 * streams with such an end. Fails if the profile has no frames. */
int cc_frames_build(const struct cc_profile *p, enum cc_level by, const struct cc_filter *filter,
                    struct cc_frames **ret, struct cc_err *err);
void cc_frames_free(struct cc_frames *f);

/* Which frames a short table shows: the first and last few, the longest and the shortest. `shown` has nframes
 * entries; returns how many are set, all if there are no more than `most`. */
size_t cc_frames_choose(const struct cc_frames *f, size_t most, bool *shown);

#endif
