# All weeks, and the tests. A week is a folder NN_name whose Makefile includes common/make/week.mk.

.DEFAULT_GOAL := all
MAKEFLAGS += --no-builtin-rules --no-print-directory
COMMON := common

AWK    ?= awk
include common/make/device.mk
include common/make/tool.mk
include common/make/flags.mk
include common/make/goals.mk

WEEKS   := $(sort $(patsubst %/,%,$(dir $(wildcard [0-9][0-9]_*/Makefile))))
# Those with stages. Other weeks have exercises alone.
LADDERS := $(patsubst %/runs,%,$(wildcard $(WEEKS:%=%/runs)))
# Device and architecture are determined once and passed to the weeks.
SETTLED := DEVICE=$(DEVICE) $(if $(filter default,$(ARCH_FROM)),,$(ARCH:%=ARCH=%))
PROVE   ?= prove
FORMAT  ?= svg

EACH := exercise progress clean
OF_STAGES := list run code check count claims shmoo record regs ptx sass profile sanitize

HERE := all runtime help test readme gallery web plots slides slides-picture figures drawings device recorded \
	exam extra run-file build-file \
	file-exists file-runtime judge machine validate limiters \
	unseen
.PHONY: $(HERE) $(WEEKS) $(EACH) $(OF_STAGES)

# Goals that are not here. An exercise is one of a week.
of_weeks := $(filter-out ./% /% build/% tests/% $(WEEKS:%=%/%),$(foreach g,$(MAKECMDGOALS),$(if $(findstring /,$g),$g)))
with_folder := $(if $(filter command,$(origin EXERCISES)),$(value EXERCISES))
strange := $(filter-out $(HERE) $(WEEKS) $(EACH) $(OF_STAGES) force,$(goal_names)) $(of_weeks) \
	$(if $N$(with_folder),$(filter exercise,$(MAKECMDGOALS)))
# A knob is one of some stage.
with_knobs := $(if $(KNOBS),$(filter $(EACH) $(OF_STAGES) plots slides gallery readme drawings,\
	$(or $(MAKECMDGOALS),all)))
judged := $(call judged_by,build/$(words_mk))
ifneq ($(strip $(strange)$(with_knobs)),)
ifeq ($(MAKE_RESTARTS),)
WORDS := build/$(words_mk)
$(WORDS): force $(LADDER)
	$(call words_file,--top '$(LADDERS) $(filter-out $(LADDERS),$(WEEKS))' --unknown $(call quoted,$(strange)))
include $(WORDS)
else
$(eval $(judged))$(if $(wrong_word),$(error $(value wrong_word)))
endif
endif

all: $(WEEKS) ## build every stage, reference and demonstration of every week
$(WEEKS): runtime
	+@$(MAKE) -C $@ $(SETTLED) all
runtime: device
	+@$(MAKE) -C $(firstword $(WEEKS)) $(SETTLED) runtime

device:
	@$(if $(asking),,$(if $(REASON),echo '$(REASON)'))

progress: ## print what was built, checked and measured on this machine, one row per stage
list:     ## list the stages of every week; `core` marks those of the core ladder
exercise: ## list the exercises of every week: number, name, points, state, idea
run:      ## run every stage in order, then print the ladder as a table; FOR=h200: the modeled times on that GPU
code:     ## with FOR=h200: write the machine code for the model of time
check:    ## check every stage at awkward sizes
count:    ## count every stage's memory requests, on the CPU device
claims:   ## measure and judge the claims; exit 1 if one does not hold
shmoo:    ## sweep the sizes with every stage
record:   ## measure the runs in each week's file `runs`, into plots/data/TO: make record TO=h200
plots:    ## draw the figures and one page with them, plots/out/index.html, from this machine's results or the recorded
##  ones; FORMAT=svg|png|pdf FROM=h200 BESIDE=h200; FOR=h100: the modeled ladder and sweep of sizes on that GPU
regs:     ## print registers, shared memory and spills of every kernel
ptx:      ## write every stage's PTX
sass:     ## write every stage's machine code (SASS)
profile:  ## count with Nsight Compute (ncu)
sanitize: ## run every stage under compute-sanitizer's four tools; exit 1 on errors
clean:    ## remove what was built; keep results

# The weeks that the figures of all weeks compare.
COMPARED = $(patsubst %/messages,%,$(shell grep -l '^overview:' $(WEEKS:%=%/messages) 2>/dev/null))
from = LADDER_FROM=$(call quoted,$(FROM)) LADDER_BESIDE=$(call quoted,$(BESIDE))
# Refuses a recorded run that does not exist, or a GPU, once for all weeks.
recorded: $(LADDER)
	@$(from) $(LADDER) figure >/dev/null
ifneq ($(FOR),)
	@for=$$($(LADDER) gpu $(call quoted,$(FOR)) 2>&1) || { echo "FOR=$${for#ladder: }" >&2; exit 2; }
endif
slides: recorded ## write a deck of slides per lecture into plots/out/slides: Markdown, PPTX, HTML, PDF; FROM=h200
##  BESIDE=h100 KEEP=folder TEMPLATE=file.pptx NOTES=yes REVEALJS=folder
	@GNUPLOT=$(call quoted,$(GNUPLOT)) LADDER=$(LADDER) $(from) \
		$(COMMON)/make/slides.sh $(decks) $(LADDERS)
slides-picture: ## draw the picture of four slides in README, docs/slides.png, from the decks of make slides
	@GNUPLOT=$(call quoted,$(GNUPLOT)) $(COMMON)/make/slides_picture.sh plots/out/slides docs/slides.png <docs/slides.txt
# After `make run plots`, one stage as an example: its report and, on the CPU device, the picture of its accesses.
EXAMPLE := $(firstword $(LADDERS))/stage2
example  = [ ! -x $(EXAMPLE) ] || { printf '\nThe report of one stage, $(EXAMPLE) (line by line: docs/start.md):\n\n'; \
	(cd $(dir $(EXAMPLE)) && $(RUN) ./$(notdir $(EXAMPLE))) || status=1; \
	$(if $(filter cpu,$(DEVICE)),printf '\nThe accesses of this stage: '; \
	$(MAKE) -s -C $(dir $(EXAMPLE)) $(SETTLED) lanes STAGE=$(notdir $(EXAMPLE)) || status=1;) }
# A browser shows no PDF as a picture.
shown    = $(if $(filter svg png,$(FORMAT)),$(COMMON)/make/gallery.sh || status=1,\
	[ $$status != 0 ] || echo 'The figures are in plots/out.')
ifneq ($(FOR),)
plots: recorded
	+@status=0; for w in $(WEEKS); do $(MAKE) -C $$w drawn || status=1; done; $(shown); exit $$status
else
plots: recorded | $(filter run,$(MAKECMDGOALS))
	+@status=0; for w in $(LADDERS); do $(MAKE) -C $$w $(SETTLED) drawn || status=1; done; $(if $(word 2,$(COMPARED)), \
		GNUPLOT=$(call quoted,$(GNUPLOT)) LADDER=$(LADDER) $(from) \
		$(COMMON)/make/plots.sh '$(COMPARED)' $(call quoted,$(FORMAT)) || status=1;) \
		GNUPLOT=$(call quoted,$(GNUPLOT)) $(COMMON)/make/drawings.sh $(call quoted,$(FORMAT)) plots/out || status=1; \
		$(if $(filter run,$(MAKECMDGOALS)),$(example);) $(shown); exit $$status
endif

# One week after the other, because timed runs must not overlap. A folder of private exercises is about one week.
$(EACH): folders = $(WEEKS)
$(OF_STAGES): folders = $(LADDERS)
$(EACH) $(OF_STAGES): $(if $(active),device)
	+@status=0; for w in $(folders); do $(if $(brief),,echo "$$w";) \
		LADDER_EXERCISES= $(MAKE) -C $$w $(SETTLED) EXERCISES= $(brief) $@ || status=1; done; \
		$(if $(filter clean,$@),rm -rf build;) $(if $(filter list,$@),echo '$(CORE_LEGEND)';) exit $$status
# With `make run plots`, the figures show what the runs print.
brief = $(if $(V),,$(if $(filter plots,$(MAKECMDGOALS)),$(if $(filter run,$@),BRIEF=1)))

## NN_week/TARGET: run `make TARGET` in that week: make 01_transpose/stage3 TILE=16
$(addsuffix /%,$(WEEKS)): force
	+@$(MAKE) -C $(@D) $(@F)

# One more at a time than there are cores, because tests wait: for a lock, or for a program that has to be stopped.
test: ## run the tests; they need no GPU, but use one if there is one; FULL=1 adds large sizes and the commands whose
##  output pages quote
	@command -v $(PROVE) >/dev/null || { echo '$(PROVE) is not installed: apt-get install perl' >&2; exit 1; }
	@dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && trap 'exit 1' INT TERM && \
		MAKEFLAGS= MAKEOVERRIDES= LADDER_TEST_DIR=$$dir LADDER_TEST_FULL=$(FULL) \
		$(PROVE) -j $$(($$(nproc 2>/dev/null || echo 2) + 1)) $(TESTS)
# The longest tests first, so that parallel runs end at about the same time; with two that need nothing of what stages.t
# builds meanwhile.
LONGEST := $(patsubst %,tests/%.t,gpu toolkits stages nvcc style commands unit emu hostile exercise ordinary ideas \
	numbers registers sides wrong standards readme machine make model judge aarch64 one_place web figures tools \
	mistakes scan)
TESTS   ?= $(LONGEST) $(filter-out $(LONGEST),$(sort $(wildcard tests/*.t)))

PAGES := README.md CONTRIBUTING.md CHANGELOG.md $(wildcard docs/*.md $(WEEKS:%=%/*.md)) plots/README.md \
	$(COMMON)/emu/README.md
gallery: ## the same as make plots FORMAT=svg
	+@$(MAKE) plots FORMAT=svg

web: $(LADDER) ## make the web edition of the pages, build/web/html/index.html, with search; it needs Sphinx
	@LADDER="$(CURDIR)/build/ladder" $(COMMON)/make/web.sh

figures: $(LADDER) device ## measure what the figures need on this machine, then draw all of them
	+@status=0; for w in $(LADDERS); do $(MAKE) -C $$w $(SETTLED) measurements || status=1; done; \
		$(MAKE) $(SETTLED) plots || status=1; exit $$status

drawings: ## draw the conceptual drawings of the notes into plots/out; FORMAT=svg|png|pdf
	@GNUPLOT=$(call quoted,$(GNUPLOT)) $(COMMON)/make/drawings.sh $(call quoted,$(FORMAT)) plots/out

readme: $(LADDER) ## redraw the pages' pictures and refill their tables and examples, from the recorded runs; check the
##  numbers in their text
	@GNUPLOT=$(call quoted,$(GNUPLOT)) LADDER=$(LADDER) $(COMMON)/make/pictures.sh $(PAGES)
	@GNUPLOT=$(call quoted,$(GNUPLOT)) $(COMMON)/make/drawings.sh svg plots/readme
	@PATH="$(CURDIR)/build:$$PATH" $(LADDER) readme $(PAGES)
	@$(LADDER) numbers $(PAGES)

extra: ## link the weeks of a folder of yours into this checkout, also after an upgrade: make extra EXTRA=../my-weeks
	@$(COMMON)/make/extra.sh $(call quoted,$(call path_of,EXTRA))

exam: $(LADDER) ## write ten problems with numbers drawn from SEED, and their answers, into build/exam: make exam
##  SEED=7; of some weeks only: ARGS="1 2 3 5"
	@mkdir -p build/exam && $(LADDER) exam $(call quoted,$(value SEED)) build/exam $(call quoted,$(value ARGS))

## machine: measure the GPU: launches, pipes, caches, memory (docs/machine.md), into common/machine/TO.tsv: make
##  machine TO=h200; some units only: ARGS="--only dram"
ifneq ($(filter machine build/%/machine/machine,$(MAKECMDGOALS)),)
include common/make/machine.mk
endif

# The GPUs with a table of machine numbers and recorded ladders, or that of FOR.
validated = $(or $(FOR),$(foreach g,$(patsubst $(COMMON)/machine/%.tsv,%,$(wildcard $(COMMON)/machine/*.tsv)),\
	$(if $(wildcard plots/data/$g/*.ladder.tsv),$g)))
validate: $(LADDER) ## compare the model of time with all recorded times, into plots/data/model (docs/model.md); only of
##  one GPU: FOR=h200
	+@for g in $(validated); do for w in $(LADDERS); do \
		$(MAKE) -C $$w DEVICE=cpu FOR=$$g stages code || exit 1; done; done
	@$(LADDER) validate $(if $(FOR),--gpu $(call quoted,$(FOR)))

limiters: $(LADDER) ## profile every stage with Nsight Compute, into plots/data/TO: make limiters TO=h100
ifeq ($(DEVICE),gpu)
	@[ -n $(call quoted,$(TO)) ] || { echo 'limiters: TO is missing: make limiters TO=h100' >&2; exit 2; }
	+@for w in $(LADDERS); do $(MAKE) $(all_cores) -C $$w $(SETTLED) stages || exit 1; done
	@for w in $(LADDERS); do \
		$(LADDER) limiters --week $$w --to $(call quoted,$(TO)) --ncu $(call quoted,$(or $(NCU),ncu)) || exit 1; done
else
	@echo 'limiters: skipped: Nsight Compute needs a GPU; docs/model.md has the recorded table'
endif

unseen: $(LADDER) ## model kernels of other authors, or measure them on a GPU (docs/model.md): make unseen FOR=h100
##  FROM=FOLDER; FOLDER/OWNER has the files of a repository; ONLY=NAME: one program of the list
	@[ -n $(call quoted,$(FOR)) ] && [ -n $(call quoted,$(FROM)) ] || \
		{ echo 'unseen: FOR or FROM is missing: make unseen FOR=h100 FROM=folder' >&2; exit 2; }
	+@[ $(DEVICE) = gpu ] || $(MAKE) -s DEVICE=cpu FROM= FOR= file-runtime
	@FROM= FOR= $(LADDER) unseen --gpu $(call quoted,$(FOR)) --from $(call quoted,$(abspath $(FROM))) \
		--device $(DEVICE) --ncu $(call quoted,$(or $(NCU),ncu)) $(if $(ONLY),--only $(call quoted,$(ONLY)))

## run-file: build and run any CUDA program: make run-file FILE=folder/program.cu; ARGS="..."; FILE="a.cu b.cu"
##  FLAGS="-Ifolder -DN=8"
ifneq ($(filter run-file build-file file-runtime,$(MAKECMDGOALS)),)
include common/make/file.mk
endif

judge: $(LADDER) ## run every CUDA program of a folder on the CPU device: make judge FROM=folder; compare with
##  LABELS=file; ARGS="..." FLAGS="..." LIMIT=seconds
	@[ -n $(call quoted,$(FROM)) ] || { echo 'judge: FROM is missing: make judge FROM=folder' >&2; exit 2; }
	+@$(MAKE) -s DEVICE=cpu FROM= LABELS= file-runtime
	@rm -rf build/judge && mkdir -p build/judge
	@$(LADDER) judge --from $(call quoted,$(call path_of,FROM)) --out build/judge \
		--labels $(call quoted,$(call path_of,LABELS)) --args $(call quoted,$(ARGS)) --flags $(call quoted,$(FLAGS)) \
		--limit $(call quoted,$(LIMIT))

help: $(LADDER) ## print this text
	@$(LADDER) help --top
