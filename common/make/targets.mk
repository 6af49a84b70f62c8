# What a week's make can do with its programs. Timed runs go one at a time, whatever -j says; a run that fails does not stop the others.

# At which size `make profile` counts: the CPU device's default, so that the two compare.
PROFILE_SIZE ?= 1024x1024
# What the week measures itself by.
BASELINE = $(shell sed -n 's/.*\.baseline = "\(.*\)".*/\1/p' $(WEEK_SRCS))
FORMAT       ?= svg
A ?= 0
B ?= 1

# Two makes at once take turns.
LOCK := $(if $(shell command -v flock),flock $(BUILD)/lock)

# For a make of our own: this device, and this architecture if it is more than a guess.
SETTLED := DEVICE=$(DEVICE) $(if $(filter default,$(ARCH_FROM)),,$(ARCH:%=ARCH=%))

# Numbers are written with a point wherever we are.
table = LC_ALL=C $(AWK) -f $(SCRIPTS)/runs.awk -f $(SCRIPTS)/table.awk
# Puts the table $1 where the results of its device are, as $2.
keep = DEVICE=$(DEVICE) $(SCRIPTS)/keep.sh $1 $2

programs = $(foreach s,$(STAGES),$(call program,$s))

each = status=0; for p in $(programs); do \
		$(LOCK) $(RUN) ./$$p $1 $(ARGS); s=$$?; \
		case $$s in 0|77) ;; *) status=1; echo "$$p: exit status $$s" >&2 ;; esac; \
	done

.PHONY: all stages built list run check count claims shmoo knobs record plots diff clean help

## stageN: build one stage and link ./stageN to it; with its knobs: make stage3 TILE=16
## demo_NAME: build one demonstration and link ./demo_NAME to it
all: $(STAGES) $(REF_KEYS) $(DEMOS) ## build every stage, reference and demonstration
stages: $(STAGES)
# What runs all stages has them built before, on all cores unless -j says otherwise.
built:
	+@$(MAKE) --no-print-directory $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j "$$(nproc 2>/dev/null || echo 2)") stages
list: ## the stages, one a line: number, name, lesson
	@for f in $(foreach s,$(STAGES),$(call field,$s,2)); do $(AWK) -v list=1 -f $(SCRIPTS)/info.awk $$f; done

run: built ## run every stage in order, then the ladder as a table; ARGS="--size 2048 --hot" for other options
	@rm -f $(BUILD)/run.tsv; $(call each,--bench --tsv $(BUILD)/run.tsv); \
	[ ! -f $(BUILD)/run.tsv ] || $(table) -v baseline=$(BASELINE) $(BUILD)/run.tsv; exit $$status

check: built ## is every stage right, at awkward sizes
	@status=0; for p in $(programs); do \
		$(RUN) ./$$p --check $(ARGS) >$(BUILD)/check.log 2>&1; s=$$?; \
		case $$s in 0|77) tail -n 1 $(BUILD)/check.log ;; \
		*) status=1; cat $(BUILD)/check.log; echo "$$p: exit status $$s" ;; esac; \
	done; exit $$status

ifeq ($(DEVICE),cpu)
count: built ## count every stage's memory requests, on the CPU device
	@rm -f $(BUILD)/count.tsv; $(call each,--count --tsv $(BUILD)/count.tsv); \
	[ ! -f $(BUILD)/count.tsv ] || $(table) $(BUILD)/count.tsv; exit $$status
else
count: ; @$(MAKE) --no-print-directory DEVICE=cpu RUN= count
endif

claims: built ## hold every stage against its "Expect" lines; exit 1 if one does not hold
	@DEVICE=$(DEVICE) RUN='$(LOCK) $(RUN)' MAKE='$(MAKE) -s --no-print-directory $(SETTLED) STAGES=' \
		$(SCRIPTS)/claims.sh $(foreach s,$(STAGES),$(call program,$s)=$(call field,$s,2))

shmoo: built ## sweep the sizes, every stage
	@$(call each,--shmoo); exit $$status

knobs: ## sweep two knobs of a stage: make knobs STAGE=stage4 X=TILE:16,32,64 Y=ROWS:2,4,8
	@MAKE='$(MAKE) -s --no-print-directory $(SETTLED) X= Y= STAGES=' RUN='$(LOCK) $(RUN)' WEEK=$(WEEK) DEVICE=$(DEVICE) AWK=$(AWK) \
		$(SCRIPTS)/knobs.sh '$(STAGE)' '$(X)' '$(Y)' $(ARGS)

record: ## keep this device's runs in plots/data/TO, which figures fall back on: make record TO=h200; in pieces: PARTS="ladder shmoo" STAGES=stage8
	@$(if $(TO),,echo 'record: say which folder of plots/data it goes to: make record TO=h200' >&2; exit 2;) \
		MAKE='$(MAKE) -s --no-print-directory $(SETTLED)' WEEK=$(WEEK) DEVICE=$(DEVICE) OPTIONS='$(RECORD_OPTIONS)' KNOBS='$(RECORD_KNOBS)' \
		COUNTS='$(RECORD_COUNTS)' SHMOO='$(RECORD_SHMOO)' MORE='$(RECORD_MORE)' AWK=$(AWK) ALL='$(ALL_STAGES)' \
		$(if $(filter command,$(origin STAGES)),ONLY='$(STAGES)') \
		$(SCRIPTS)/record.sh $(COMMON)/../plots/data/$(TO) $(PARTS)

plots: ## draw the figures into plots/out, from this machine's results or the recorded ones; FORMAT=svg|png|pdf
	@AWK=$(AWK) GNUPLOT=$(GNUPLOT) $(SCRIPTS)/plots.sh $(WEEK) $(FORMAT)

diff: ## what changed between two stages: make diff A=2 B=3
	@$(foreach s,$A $B,$(if $(call field,stage$s,2),,$(error diff: there is no stage$s here; say make diff A=2 B=3)))diff -u \
		$(call field,stage$A,2) $(call field,stage$B,2) || [ $$? = 1 ]

clean: ## remove what was built; results stay
	rm -rf build
	find . -maxdepth 1 -type l \( -name 'stage[0-9]*' -o -name 'demo_*' $(PROGRAMS:%=-o -name '%') \) -delete

help: ## this text
	@$(AWK) -f $(SCRIPTS)/help.awk $(MAKEFILE_LIST)

include $(SCRIPTS)/tools.mk
