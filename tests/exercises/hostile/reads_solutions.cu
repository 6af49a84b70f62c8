// Graded: 0 stopped|refused|wrong: .
// Attack: reads the master of the exercise and the copies of other submissions; prints them, and
// leaves marker_reads_solutions.
#include "transpose.h"
#include <dirent.h>
#include <fstream>
#include <string>
#include <unistd.h>

void transpose(const float *in, float *out, int rows, int cols)
{
    static const char *const folders[] = { "exercises", "build/cpu/obj", "..", "/proc/self/cwd" };
    std::ofstream marker("marker_reads_solutions");
    int found = 0;

    for (const char *folder : folders) {
        DIR *d = opendir(folder);

        while (dirent *file = d ? readdir(d) : nullptr) {
            std::ifstream text(std::string(folder) + "/" + file->d_name);
            std::string line;

            for (int i = 0; i < 40 && std::getline(text, line); i++, found++)
                if (line.size() < 100 && found < 1000) {
                    marker << line << "\n";
                    puts(line.c_str());
                }
        }
    }
    if (found)
        _exit(99);
}
