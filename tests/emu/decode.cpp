// Compares decode() with objdump's output. Reads lines "address bytes mnemonic" of the .text
// section of the program named by the argument. Prints the differences; exit status 1 if there are
// any.
#include <elf.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "lanes/flow.h"

using emu::Leaves;

static Leaves leaves_of(const std::string &mnemonic)
{
    if (mnemonic.compare(0, 4, "call") == 0)
        return Leaves::call;
    if (mnemonic == "jmp" || mnemonic == "jmpq")
        return Leaves::jump;
    if (mnemonic[0] == 'j' || mnemonic.compare(0, 4, "loop") == 0)
        return Leaves::branch;
    return mnemonic.compare(0, 3, "ret") == 0 || mnemonic == "hlt" || mnemonic == "ud2" ||
                   mnemonic == "int3"
             ? Leaves::nowhere
             : Leaves::next;
}

int main(int, char *argv[])
{
    std::ifstream file(argv[1], std::ios::binary);
    std::string program((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    const char *data = program.data();
    const Elf64_Ehdr *head = (const Elf64_Ehdr *)data;
    const Elf64_Shdr *section = (const Elf64_Shdr *)(data + head->e_shoff), *text = nullptr;
    unsigned long address, instructions = 0, differ = 0;
    unsigned bytes;
    char mnemonic[32];

    for (int i = 0; i < head->e_shnum; i++)
        if (strcmp(data + section[head->e_shstrndx].sh_offset + section[i].sh_name, ".text") == 0)
            text = &section[i];
    while (text && scanf("%lx %u %31s", &address, &bytes, mnemonic) == 3) {
        emu::Instruction i;
        bool known = emu::decode((uintptr_t)data + text->sh_offset + (address - text->sh_addr), &i);
        Leaves want = leaves_of(mnemonic);

        instructions++;
        // decode() reports an indirect jump as one that leaves the function
        if (known && i.bytes == bytes &&
            (i.leaves == want || (want == Leaves::jump && i.leaves == Leaves::nowhere)))
            continue;
        differ++;
        printf("%lx %s: %u bytes, not %u\n", address, mnemonic, i.bytes, bytes);
    }
    printf("%lu instructions, %lu differ\n", instructions, differ);
    return differ || instructions < 1000;
}
