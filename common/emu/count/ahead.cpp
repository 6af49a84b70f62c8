#include "ahead.h"

#include <cstddef>

namespace emu {

void Ahead::clear()
{
    now = start = 0;
    pending = 0;
    copies.clear();
}

unsigned Ahead::take_up()
{
    unsigned ahead = 0;

    for (; pending; pending--)
        ahead += is_ahead(made_at[(next - pending) % MOST]);
    start = now;
    return ahead;
}

unsigned Ahead::wait(uint64_t end)
{
    unsigned ahead = 0;
    std::size_t left = 0;

    for (const Copy &c : copies)
        if (c.group < end)
            ahead += is_ahead(c.made_at);
        else
            copies[left++] = c;
    if (left < copies.size())
        start = now;
    copies.resize(left);
    return ahead;
}

}   // namespace emu
