#include "event_figures.h"

#include <stdlib.h>

enum { SECTOR = 32, LINE = 128, WORD = 4, PIECE = 16, MOST_PIECES = 1024, MOST_LINES = 16 };

// At most 16 bytes of a row of the box; `at` is -1 outside of the tensor.
struct piece {
    int row, first;
    long at;
};

static int pieces_of(const struct event *e, struct piece piece[MOST_PIECES])
{
    const char *list = e->bytes, *word;
    int n = 0;

    while (n < MOST_PIECES && (word = next_word(&list))) {
        struct piece *p = &piece[n];
        char at[24] = "";

        if (sscanf(word, "%d/%d/%23s", &p->row, &p->first, at) != 3)
            continue;
        p->at = at[0] == '-' ? -1 : atol(at);
        n++;
    }
    return n;
}

// Bytes of piece i: up to the next one of its row, at most 16.
static int piece_bytes(const struct piece *piece, int n, int i)
{
    if (i + 1 < n && piece[i + 1].row == piece[i].row &&
        piece[i + 1].first - piece[i].first < PIECE)
        return piece[i + 1].first - piece[i].first;
    return PIECE - piece[i].first % PIECE;
}

static void put_cell(struct sheet *s, double from, double to, double row, int color)
{
    fprintf(s->data, "%g %g %g %d\n", from, to, row, color);
}

// Bytes from the start of a sector to the first byte of a row, whose first piece is i.
static int shift_of(const struct piece *piece, int n, int i)
{
    for (int k = i; k < n && piece[k].row == piece[i].row; k++)
        if (piece[k].at >= 0)
            return (int)((piece[k].at + SECTOR - piece[k].first % SECTOR) % SECTOR);
    return 0;
}

// x: bytes from the start of the row's first sector.
static int put_in_sectors(struct sheet *s, const struct piece *piece, int n)
{
    int most = SECTOR;

    for (int is_byte = 0; is_byte < 2; is_byte++)   // sectors first, the bytes of the box on them
        for (int i = 0, shift = 0; i < n; i++) {
            int from, to;

            if (i == 0 || piece[i].row != piece[i - 1].row)
                shift = shift_of(piece, n, i);
            from = piece[i].first + shift;
            to = from + piece_bytes(piece, n, i);
            most = to > most ? to : most;
            if (is_byte)
                put_cell(s, from + 0.5, to - 0.5, piece[i].row,
                         piece[i].at < 0 ? paler(rgb(VERMILION)) : rgb(BLUE));
            else if (piece[i].at >= 0)
                put_cell(s, from / SECTOR * SECTOR + 0.5, ((to - 1) / SECTOR + 1) * SECTOR - 0.5,
                         piece[i].row, rgb(GRID));
        }
    return (most + SECTOR - 1) / SECTOR * SECTOR;
}

// x: banks; a row per 128 bytes. Pieces at the same place of their rows have one color.
static int put_in_banks(struct sheet *s, const struct piece *piece, int n)
{
    int last = 0;

    for (int i = 0; i < n; i++)
        last = piece[i].first > last ? piece[i].first : last;
    for (int i = 0; i < n; i++) {
        double from = piece[i].at % LINE / WORD, bytes = piece_bytes(piece, n, i);

        if (piece[i].at / LINE < MOST_LINES)
            put_cell(s, from + 0.06, from + bytes / WORD - 0.06, piece[i].at / LINE,
                     last ? map_color((double)(piece[i].first / PIECE) / (last / PIECE))
                          : rgb(BLUE));
    }
    return LINE / WORD;
}

int put_box(struct sheet *s, const struct event *e, int panel)
{
    struct piece piece[MOST_PIECES];
    int n = pieces_of(e, piece), most;

    block_of(s, "cells", panel, "box: x from, to, row, color");
    most = event_is_shared(kind_of(e)) ? put_in_banks(s, piece, n) : put_in_sectors(s, piece, n);
    return most;
}
