#include "content.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grade.h"
#include "sha256.h"

// Only a regular file is opened, because opening a device may have an effect.
const char *content_of(const char *path)
{
    char hash[SHA256_TEXT] = "";
    struct stat is;
    void *bytes;
    int file;

    if (lstat(path, &is) < 0 || !S_ISREG(is.st_mode))
        return "";
    file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0 || fstat(file, &is) < 0 || !S_ISREG(is.st_mode))
        is.st_size = -1;
    if (is.st_size == 0)
        sha256("", 0, hash);
    bytes = is.st_size > 0 ? must_malloc((size_t)is.st_size) : NULL;
    if (bytes && read(file, bytes, (size_t)is.st_size) == (ssize_t)is.st_size)
        sha256(bytes, (size_t)is.st_size, hash);
    free(bytes);
    if (file >= 0)
        close(file);
    return text_of("%.*s", CONTENT, hash);
}

const char *content_of_text(const char *text)
{
    char hash[SHA256_TEXT];

    sha256(text, strlen(text), hash);
    return text_of("%.*s", CONTENT, hash);
}
