# Exercises: `ladder exercise` has the logic. A student's exerciseN_NAME.cu is built like a stage, and is no part of the
# ladder. For grading, `grader` is built, which is the harness without a stage, and `ladder exercise grade` makes a
# program of each submission, in a separate folder, with the commands in build/DEVICE/grading. The grader runs that
# program in a confined process.
#
# EXERCISES=folder selects the masters of another folder than `exercises`; `ladder` gets it as LADDER_EXERCISES
# (goals.mk).

.PHONY: exercise new-exercise hint solution grade for_grading

need_number = $(if $N,,echo '$@: expected the number of an exercise: make $@ N=1' >&2; exit 2;)
with_number = @$(need_number) $(LADDER) exercise

exercise: ## list the exercises: number, name, points, state, idea; with N=1, write exercise1_NAME.cu into this folder;
##  EXERCISES=folder: private ones
	@$(LADDER) exercise $(if $N,write $(call quoted,$N),list)
hint: ## print the next of the three hints of an exercise: make hint N=1; one that was printed before: HINT=1
	$(with_number) hint $(call quoted,$N) $(if $(HINT),--again $(call quoted,$(HINT)))
solution: ## print the solution of an exercise after its hints: make solution N=1; without them: HINT=no
	$(with_number) solution $(call quoted,$N) $(if $(filter no,$(HINT)),,--after-hints)
new-exercise: ## add an exercise, from the code of stage 1 or FROM: make new-exercise N=8 NAME=mine FROM=3
##  EXERCISES=folder
	@$(LADDER) exercise new $(call quoted,$N) $(call quoted,$(NAME)) $(call quoted,$(or $(FROM),1))

# --- grading ---

grader.arch := none
$(OBJ)/grader.info.o: $(COMMON)/grade/stage_info.c
-include $(OBJ)/grader.info.d
$(BUILD)/grader: $(OBJ)/grader.info.o $(GRADE_OBJS)

# The parts of the CPU device that a submission may need. A week whose exercises do without the others names fewer, so
# that its first grade is quick.
GRADED_WITH ?= $(EMU_OBJS)

# How a submission becomes a program: a line per command, which runs in this folder without a shell; $$1 is the folder
# with submission.cu. The first lines name what compilers may read beside that folder. Every command gets these lines'
# flags as an exercise's own build does.
compiler_prefix = $(patsubst %/bin/,%,$(dir $(realpath $(shell command -v $(firstword $1)))))
may_read = /usr /lib /lib64 /bin /etc $(call compiler_prefix,$(CXX)) $(if $(have_nvcc),$(CUDA_HOME))
ifeq ($(DEVICE),gpu)
# A submission runs on this GPU alone, and may use all of its instructions.
nvcc_submission = $(NVCC) $(call arch_flags,$(ARCH:sm_90=sm_90a)) $(NVCC_FLAGS) -Xcompiler -fPIC
define grading_commands
compile: $(nvcc_submission) -c $$1/submission.cu -o $$1/submission.o
link: $(CXX) -shared -Wl,-Bsymbolic $$1/submission.o $(CUDA_LIBS) -o $$1/submission
endef
else
# Functions that g++ would expand without a call, so that nothing counted their accesses.
expanded := memcpy memmove memset memcmp memchr mempcpy strlen strcmp strncmp strcpy strncpy strcat strncat strchr \
	strrchr strstr strcspn strspn strpbrk stpcpy
kept_calls := -U_FORTIFY_SOURCE -fno-builtin $(foreach f,$(expanded),-D__builtin_$f=$f) -I$(COMMON)/grade/std \
	-include $(COMMON)/grade/std/first.h
# What guard.cpp relies on: calls of hooks at the beginning and end of each function, frame pointers, registers that are
# stored together, checks of all indices of arrays and of accesses beyond variables, a stack that grows page by page; on
# x86-64 a mark where an indirect call may arrive, and a check of its target.
checked_calls := --param tsan-instrument-func-entry-exit=1 -fno-omit-frame-pointer -fno-schedule-insns2 \
	-fno-shrink-wrap -fsanitize=bounds-strict,object-size -fstack-clash-protection -Werror=vla \
	-fno-gnu-unique -fmax-errors=20 \
	$(if $(filter x86_64%,$(EMU_MACHINE)),-mindirect-branch=thunk-extern -mindirect-branch-register -fcf-protection=branch)
compile_checked = $(EMU_PASS) --compile $$1/submission.ii $(CXX) $(EMU_COMPILE_FLAGS) $(CXXFLAGS) -fno-builtin \
	$(checked_calls) $(EMU_LAST_FLAGS) -fdump-tree-optimized-lineno-uid
keep_entry    = $(shell $(CXX) -print-prog-name=objcopy) --keep-global-symbol=$(ENTRY)
link_grading  = $(LDFLAGS) $(EMU_LDFLAGS) $(LIBS)
partial_link  = $(shell $(CXX) -print-prog-name=ld) -r --force-group-allocation -T
define grading_commands
preprocess: $(CXX) $(kept_calls) $(EMU_PREPROCESS_FLAGS) $(CXXFLAGS) -I. $$1/submission.cu -o $$1/submission.i
rewrite: $(EMU_PASS) $$1/submission.i > $$1/submission.ii
compile: $(compile_checked)=$$1/submission.tree -c $$1/submission.ii -o $$1/submission.o
values: $(EMU_PASS) --values $$1/submission.tree
combine: $(partial_link) $(COMMON)/grade/submission.ld $$1/submission.o -o $$1/submission.one
isolate: $(keep_entry) --redefine-syms=$$1/names $$1/submission.one $$1/submission.all
link: $(CXX) -static $(BUILD)/grading.o $$1/submission.all $(link_grading) -o $$1/submission$(if $(have_nvcc),
nvcc: $(have_nvcc) $(call arch_flags,sm_90a) -std=c++17 -I. $(NVCCFLAGS) -c $$1/submission.cu -o $$1/nvcc.o)
endef
# All that a submission is linked with, in one piece, so that it cannot replace a part.
GUARD := $(EMU_OUT)/guard.o
$(GUARD): $(COMMON)/grade/guard.cpp $(EMU_OUT)/flags
	$(Q)$(object) $(CXX) $(EMU_RUNTIME_CXXFLAGS) -I$(EMU_DIR) -fno-omit-frame-pointer $(deps) -c $< -o $@
-include $(GUARD:.o=.d)
in_grading := $(OBJ)/grader.info.o $(WEEK_OBJS) $(SHARED_OBJS) $(GRADE_OBJS)
$(BUILD)/grading.o: $(in_grading) $(GRADED_WITH) $(GUARD)
	$(Q)$(whole) $@ -- $(CXX) -r -nostdlib -Wl,--force-group-allocation $(filter %.o,$^) -o $@
for_grading: $(BUILD)/grading.o
endif
define newline


endef
grading_read  = read: $(may_read)$(newline)headers: $(COMMON)
grading_lines = $(subst $(newline),' ',$(call quoted,$(grading_read)$(newline)$(grading_commands)))
$(BUILD)/grading: force
	@printf '%s\n' $(grading_lines) >$@.$$$$ && mv -f $@.$$$$ $@

for_grading: $(SHARED_OBJS) $(WEEK_OBJS) $(GRADED_WITH) $(EMU_PASS) $(BUILD)/grader $(REFERENCE_OBJECTS) \
	$(BUILD)/grading

# Submissions are always graded on the CPU device; with a GPU, on that, too.
grade: ## grade your exercise: make grade N=1; the files of a class: FROM=folder OUT=points.tsv; also for a class:
##  RESUME=points.tsv, CSV=grades.csv FORMAT=moodle|canvas ASSIGNMENT=title, FEEDBACK=folder; SECONDS=20: limit of CPU
##  time
	@$(need_number)
	@$(if $(quiet),:,[ -e build/cpu/grading ] || echo '$(WEEK): building the grader, once')
	+@$(GRADE_MAKE) DEVICE=cpu RUN= for_grading
ifeq ($(DEVICE),gpu)
	+@$(GRADE_MAKE) $(SETTLED) for_grading
endif
	@$(LADDER) exercise grade $(call quoted,$N) $(if $(filter gpu,$(DEVICE)),--gpu --run $(call quoted,$(RUN))) \
		$(call given_path,FROM,--from) $(call given_path,OUT,--out) $(call given_path,RESUME,--resume) \
		$(call given_path,CSV,--csv) $(call given_as,FORMAT,--format) $(call given_as,ASSIGNMENT,--assignment) \
		$(call given_path,FEEDBACK,--feedback) \
		$(call given_as,SECONDS,--seconds) $(call given_as,CONFINE,--confine)
# An option for a variable of the command line. The environment may have variables of these names for other purposes.
given_as = $(if $(and $(filter command,$(origin $1)),$($1)),$2 $(call quoted,$($1)))
# The same for a path: an empty one, as from an unset variable of a shell, is passed, and refused.
given_path = $(if $(filter command,$(origin $1)),$2 $(call quoted,$($1)))
GRADE_MAKE := $(MAKE) -s --no-print-directory N= FROM= OUT= RESUME= CSV= ASSIGNMENT= FEEDBACK= SECONDS= CONFINE=
