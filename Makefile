# Every week at once, and the tests. A week is a folder named NN_name with a Makefile that includes common/week.mk.

.DEFAULT_GOAL := all
MAKEFLAGS += --no-builtin-rules --no-print-directory
COMMON := common

include common/make/device.mk

WEEKS   := $(sort $(patsubst %/,%,$(dir $(wildcard [0-9][0-9]_*/Makefile))))
# Asked once, here; the weeks are told.
SETTLED := DEVICE=$(DEVICE) $(if $(filter default,$(ARCH_FROM)),,$(ARCH:%=ARCH=%))
PROVE   ?= prove

EACH := list run check count claims shmoo plots regs ptx sass profile sanitize clean

.PHONY: all help test readme said force $(WEEKS) $(EACH)

all: $(WEEKS) ## build every stage, reference and demonstration of every week
$(WEEKS): said
	+@$(MAKE) -C $@ $(SETTLED) all

said:
	@$(if $(REASON),echo '$(REASON)',:)

list:     ## the stages of every week
run:      ## run every stage in order, then the ladder as a table
check:    ## is every stage right, at awkward sizes
count:    ## count every stage's memory requests, on the CPU device
claims:   ## hold every stage against its "Expect" lines; exit 1 if one does not hold
shmoo:    ## sweep the sizes, every stage
plots:    ## draw the figures into plots/out, from this machine's results or the recorded ones; FORMAT=svg|png|pdf
regs:     ## registers, shared memory and spills of every kernel
ptx:      ## every stage's PTX
sass:     ## every stage's machine code
profile:  ## count what the hardware counts, with ncu
sanitize: ## compute-sanitizer's four tools over every stage; exit 1 on errors
clean:    ## remove what was built; results stay

# One week after the other, for timed runs must not meet.
$(EACH): $(if $(active),said)
	+@status=0; for w in $(WEEKS); do echo "$$w"; $(MAKE) -C $$w $(SETTLED) $@ || status=1; done; exit $$status

## NN_week/TARGET: what `make TARGET` does in that week: make 01_transpose/stage3 TILE=16
$(addsuffix /%,$(WEEKS)): force
	+@$(MAKE) -C $(@D) $(@F)
force:

test: ## the tests; they need no GPU, and check every stage on one where there is one
	@command -v $(PROVE) >/dev/null || { echo '$(PROVE) is not here: apt-get install perl' >&2; exit 1; }
	@dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && trap 'exit 1' INT TERM && \
		MAKEFLAGS= MAKEOVERRIDES= LADDER_TEST_DIR=$$dir $(PROVE) -j $$(nproc 2>/dev/null || echo 2) $(TESTS)
# Those that take longest come first, so that several at a time end together.
LONGEST := $(patsubst %,tests/%.t,stages nvcc make emu wrong)
TESTS   ?= $(LONGEST) $(filter-out $(LONGEST),$(sort $(wildcard tests/*.t)))

PAGES := README.md $(wildcard $(WEEKS:%=%/README.md))
readme: ## draw the READMEs' pictures and fill in their tables and examples anew, from the recorded runs
	@mkdir -p plots/readme; status=0; \
	for s in pictures readme; do $(COMMON)/make/$$s.sh $(PAGES) || status=1; done; exit $$status

help: ## this text
	@$(AWK) -f common/make/help.awk Makefile
AWK ?= awk
