// `ladder`, the tool that reads heads of .cu files, `runs`, claims and result tables, and prints
// what make, gnuplot and the pages need.
#include <string.h>

#include "book.h"
#include "event_figures.h"
#include "figures.h"
#include "runs.h"
#include "terminal.h"
#include "version.h"

static const struct command {
    const char *name;
    enum status (*run)(struct arguments);
    const char *usage;
} commands[] = {
    { "rules", command_rules,
      "rules --device D --arch SM [--known] --archs LIST --out BUILD: writes the make rules of the "
      "week in this folder" },
    { "list", command_list,
      "list FILE.cu...: prints number, name, mark of the core ladder and lesson of each stage" },
    { "measure", command_measure,
      "measure MACHINE [--sweep] [--keep PART] [--show COLUMN] [--part PART] TABLE -- LINE...: "
      "runs programs that make has built, and collects their rows; MACHINE: --device gpu|cpu "
      "[--run PREFIX] [--ncu NCU] [--brief] [--only STAGES] [--set KNOB=VALUE]... [--plan "
      "plain|knobs]" },
    { "gpu", command_gpu, "gpu NAME: prints the architecture of a GPU for nvcc: sm_90a of h200" },
    { "machine-code", command_machine_code,
      "machine-code FILE.sass SOURCE: prints the short form of a disassembly, for "
      "common/model/code" },
    { "claims", command_claims, "claims MACHINE [--measure] TABLE... -- SOURCE...: judges claims" },
    { "table", command_table, "table [--column COLUMN] TABLE...: prints tables for the terminal" },
    { "markdown", command_markdown,
      "markdown KIND [--at PLACES] [--of BASE] [--variant V] [--strides LIST] [--stages LIST] "
      "TABLE...: prints a table in Markdown" },
    { "figure", command_figure,
      "figure NAME [options] [TABLE...]: prints a gnuplot script with its data; figure: lists the "
      "figures; figure lanes|trace FILE: of a recording; figure model: of make validate" },
    { "palette", command_palette,
      "palette: prints the colors of figures and drawings, for gnuplot" },
    { "figure lanes", command_lanes, NULL },
    { "figure trace", command_trace, NULL },
    { "figure model", command_model_figure, NULL },
    { "hardware", command_hardware,
      "hardware WEEK...: prints which stages each kind of hardware runs, as a table in Markdown" },
    { "machine", command_machine,
      "machine [--spread] PATTERN...: prints the numbers of `make machine` whose names match, as a "
      "table in Markdown" },
    { "validate", command_validate,
      "validate [--gpu NAME] [--estimated]: models every recorded time of the ladders, into "
      "plots/data/model or plots/data/estimated" },
    { "limiters", command_limiters,
      "limiters --to NAME --week WEEK [--ncu NCU]: profiles each stage with Nsight Compute, into "
      "plots/data/NAME/WEEK.limiters.txt" },
    { "modeled", command_modeled,
      "modeled --for GPU [--uncoded] STAGE...: models the times of stages of the week in this "
      "folder, into build/model; --uncoded: only prints those without recorded machine code" },
    { "unseen", command_unseen,
      "unseen --gpu NAME --from FOLDER --device cpu|gpu [--ncu NCU] [--only NAME]: models or "
      "measures the "
      "kernels "
      "of plots/data/model/unseen; FOLDER/OWNER has the files of the repository OWNER/NAME" },
    { "validation", command_validation,
      "validation errors|short|steps|instructions|limiter|disagreements|outliers|changes|"
      "unseen|unseen-outliers [--gpu NAME] [--half "
      "tuned|'held out'] [--estimated]: "
      "prints the errors of the model of time, as a table in Markdown" },
    { "slides", command_slides,
      "slides WEEK FOLDER: writes a deck of slides in Markdown per lecture, from the week's pages, "
      "stages and recorded run" },
    { "code", command_code,
      "code [--changes | --new] [--of STAGE] [--bare] FILE [TEXT [LINES]]: prints lines of "
      "a "
      "stage or of another program, with those marked that it changes of the stage before" },
    { "log", command_log,
      "log TABLE PREDICTION: appends the rows of a run to results/log.md, a student's work log" },
    { "exam", command_exam,
      "exam SEED FOLDER: writes ten problems with numbers drawn from a seed, and their answers" },
    { "record", command_record,
      "record MACHINE TO [PART...]: measures the runs in the file `runs`, into plots/data/TO" },
    { "readme", command_readme,
      "readme [-n] PAGE...: fills in the output of the commands that pages name" },
    { "numbers", command_numbers,
      "numbers [--run] PAGE...: checks the numbers in the prose of pages against their sources" },
    { "differences", command_differences,
      "differences MEASURED [COUNTED...]: prints where counts of the CPU device and ncu differ, as "
      "a table in Markdown" },
    { "bounds", command_bounds,
      "bounds [TABLE...]: prints the lower bound of each time, of all recorded runs or of tables; "
      "exit 1 if a time is below its bound" },
    { "traffic", command_traffic,
      "traffic FOLDER TABLE...: prints what memory traffic allows each stage, beside what was "
      "measured, as a table in Markdown; reads the file `traffic` of the week's folder" },
    { "exercise", command_exercise,
      "exercise list | write N | hint N [--again HINT] | solution N | new N NAME FROM | grade N "
      "[--from FOLDER] [--out FILE] [--resume FILE] [--csv FILE --format moodle|canvas "
      "--assignment NAME] [--feedback FOLDER] [--seconds S]: exercises of the week in this folder, "
      "or of the folder LADDER_EXERCISES" },
    { "judge", command_judge,
      "judge --from FOLDER --out FOLDER --labels FILE --args ARGS --flags FLAGS --limit S: runs "
      "every .cu file of a folder on the CPU device, and compares with a file of labels" },
    { "collect", command_collect,
      "collect MACHINE: measures the parts of the file `runs` that figures show, into results/" },
    { "new", command_new,
      "new N NAME FROM: writes the file of a new stage, from that of stage FROM" },
    { "progress", command_progress,
      "progress --device gpu|cpu FILE.cu...: prints what was built, checked and measured here" },
    { "help", command_help, "help [--top]: lists the targets of make" },
    { "words", command_wrong_words,
      "words --out FILE [--top WEEKS] ... -- KNOB=VALUE...: what is wrong with the command line of "
      "make (for make)" },
    { "columns", command_columns, "columns: lists the columns of the result table" },
};

enum { COMMANDS = sizeof commands / sizeof *commands };

// How many words of the command line name this command: "figure lanes" has two. 0: another one.
static int words_in(const struct command *c, int argc, char *argv[])
{
    const char *name = argc > 1 ? argv[1] : "";

    if (strcmp(c->name, name) == 0)
        return 1;
    return argc > 2 && strcmp(c->name, text_of("%s %s", name, argv[2])) == 0 ? 2 : 0;
}

int main(int argc, char *argv[])
{
    enum status status = STATUS_USAGE;
    const struct command *command = NULL;
    int words = 0;

    occupy_standard_descriptors();
    for (int i = 0; i < COMMANDS; i++)
        if (words_in(&commands[i], argc, argv) > words)
            command = &commands[i], words = words_in(command, argc, argv);
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        puts("ladder " LADDER_VERSION);
        status = STATUS_OK;
    } else if (command) {
        if (has_word("list exercise progress columns claims measure bounds", argv[1]))
            fit_terminal();
        status = command->run((struct arguments){ argc - 1 - words, argv + 1 + words });
    } else {
        FILE *to = argc > 1 && strcmp(argv[1], "--help") == 0 ? stdout : stderr;

        if (to == stderr && argc > 1)
            fprintf(stderr, "ladder: '%s': no such command; there are:\n", text_head(argv[1], 60));
        for (int i = 0; i < COMMANDS; i++)
            if (commands[i].usage)
                fprintf(to, "ladder %s\n", commands[i].usage);
        status = to == stdout ? STATUS_OK : STATUS_USAGE;
    }
    return finish(status);
}
