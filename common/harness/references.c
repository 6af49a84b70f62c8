#include "references.h"

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

#include "folders.h"
#include "program.h"

static int load_reference(const char *path, const struct week *week, const struct stage_info *stage,
                          struct contender *ref)
{
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const struct stage_info *info = object ? dlsym(object, "stage_info") : NULL;
    void *entry = object ? dlsym(object, week->entry) : NULL;

    if (!info || !entry) {
        const char *reason = dlerror();

        warn("%s is skipped: %s", strrchr(path, '/') + 1,
             reason ? reason : "it lacks the week's function");
        return 0;
    }
    if ((info->arithmetic[0] && !stage->arithmetic[0]) || strcmp(info->type, stage->type) != 0)
        return 0;
    contender_init(ref, info, (stage_fn *)(uintptr_t)entry);
    return 1;
}

int references_load(struct contender refs[MOST_REFERENCES], const struct week *week,
                    const struct stage_info *stage, const char *folder)
{
    struct files found = files_in(folder, "ref_*.so");
    int n = 0;

    for (size_t i = 0; i < found.n && n < MOST_REFERENCES; i++)
        n += load_reference(found.path[i], week, stage, &refs[n]);
    return n;
}
