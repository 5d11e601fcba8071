# Thin front of meson. make and make demo install what building needs first, make check what tests need too (Debian packages; needs root or sudo).
BUILD ?= build
.PHONY: all build deps deps-check demo check bench install clean format bench-area bench-native bench-predict bench-predict-scale bench-truth bench-truth-machine bench-simulate bench-tile bench-units bench-mine bench-faults
all: build
deps:
	@tools/deps.sh build
deps-check:
	@tools/deps.sh check
build: deps
	@[ -f $(BUILD)/build.ninja ] || meson setup $(BUILD) -Dwerror=true
	@ninja -C $(BUILD)
check: deps-check build
	@tools/check.sh $(BUILD)
# Under a minute: unit tests with a tenth of their rounds, habits, and the command line without engines. Then ten times as many rounds as make check
.PHONY: check-quick check-long
check-quick: deps-check build
	@CC_TEST_ROUNDS=10 meson test -C $(BUILD) --no-rebuild --print-errorlogs --suite unit --suite habits
	@meson test -C $(BUILD) --no-rebuild --print-errorlogs help completion platform inputs security schema
check-long: deps-check build
	@CC_TEST_ROUNDS=1000 meson test -C $(BUILD) --no-rebuild --print-errorlogs --suite unit --timeout-multiplier 10
	@CC_TEST_ROUNDS=100 tools/check-sanitized.sh $(BUILD)
bench: build
	@bench/record.sh $(BUILD)
demo: build
	@tools/demo.sh $(BUILD)
bench-predict: build
	@bench/predict.sh
# Predictions from serial recordings against simulated OpenMP programs: no noise. Five to ten minutes
bench-truth: build
	@BUILD=$(abspath $(BUILD)) bench/truth.py
# The same programs, larger, on this machine: error beside the spread of its runs. Five minutes
bench-truth-machine: build
	@BUILD=$(abspath $(BUILD)) bench/truth-machine.sh
.PHONY: bench-tasks
bench-tasks: build
	@BUILD=$(abspath $(BUILD)) bench/tasks.sh
bench-predict-scale: build
	@bench/predict-scale.sh $(BUILD)
bench-area: build
	@bench/area.sh $(BUILD)/corecast $(CURDIR)
# The model that ships, from a table of kernels; TABLE and MODEL name others. model-folds also tries it on the folds of the table (minutes).
MODEL ?= models/vitis-hls-u280.model
TABLE ?= models/vitis-hls-u280.csv
CLOCK ?= 10
SCOPE ?= Vitis HLS (version not stated), xcu280-fsvh2892-2L-e, 10 ns, no directives, HLS report (csynth), not after implementation (seen on 29 kernels: LUT after/report median 0.74, 10-90 % 0.23-0.91, FF 0.89, DSP 1.0)
.PHONY: model model-folds
model model-folds: build
	@$(BUILD)/corecast area calibrate $(TABLE) --target lut,ff,dsp,bram,cycles --group family --clock $(CLOCK) $(if $(filter model-folds,$@),--folds fold) --scope "$(SCOPE)" -o $(MODEL)
# Other ways of making forests, chosen inside folds and tried outside (five minutes on two processors)
.PHONY: bench-area-models
bench-area-models: build
	@ninja -C $(BUILD) tests/area-models >/dev/null && $(BUILD)/tests/area-models $(TABLE)
bench-native: build
	@bench/native.sh
bench-simulate: build
	@bench/simulate.sh $(abspath $(BUILD))/corecast $(CURDIR)
# Programs the simulator's order was not tuned on, against the strictest order and a replay of the caches. Five minutes
.PHONY: bench-order
bench-order: build
	@ninja -C $(BUILD) tests/replay >/dev/null && bench/order.sh $(abspath $(BUILD))/corecast $(CURDIR) $(abspath $(BUILD))/tests/replay
bench-faults: build
	@bench/faults.sh $(abspath $(BUILD))/corecast $(CURDIR)
bench-tile: build
	@bench/tile.sh $(BUILD)/corecast
bench-units: build
	@bench/units.sh $(BUILD)/corecast
bench-mine: build
	@BUILD=$(BUILD) bench/mine.sh
hostile: build
	@tests/hostile/run.sh $(abspath $(BUILD))/corecast $(CURDIR)
# Every command line of docs/guide, those that take minutes as well
.PHONY: guide-check
guide-check: build
	@tests/guide/run.py $(abspath $(BUILD))/corecast $(CURDIR)
# Describes new fields of results in docs/schema (fill in what they mean)
.PHONY: schemas
schemas: build
	@rm -rf $(BUILD)/json && mkdir $(BUILD)/json
	@CC_KEEP_JSON=$(abspath $(BUILD))/json CORECAST=$(abspath $(BUILD))/corecast SOURCE=$(CURDIR) MAKE_CAST=$(abspath $(BUILD))/tests/make-cast tests/cli/schema.sh >/dev/null; true
	@tools/schema.py learn docs/schema $(BUILD)/json/*.json
# SECONDS of each reader
fuzz: build
	@tests/fuzz/run.sh $(abspath $(BUILD)) $(CURDIR) $(or $(SECONDS),3)
# FAILURES of each kind and command, TRIALS of kill and of signals, MUTANTS of debug data, INPUTS damaged of each kind
faults: build
	@tests/faults/run.sh $(abspath $(BUILD))/corecast $(CURDIR) $(or $(FAILURES),12) $(or $(TRIALS),300)
	@tests/faults/mutants.sh $(abspath $(BUILD))/corecast $(CURDIR) $(or $(MUTANTS),200)
	@tests/faults/inputs.py $(abspath $(BUILD))/corecast $(CURDIR) $(or $(INPUTS),100)
# The tree as a tarball; Debian packages of it, built and tried in roots of their own (root, minutes; SUITE=trixie for another Debian)
.PHONY: dist package package-check
dist: build
	@tools/dist.sh $(BUILD)
package: build
	@dpkg-buildpackage -us -uc -b
package-check:
	@tests/package/run.sh $(BUILD) $(CURDIR) $(or $(SUITE),bookworm)
install: build
	@meson install -C $(BUILD)
format:
	@git ls-files '*.c' '*.h' | xargs clang-format -i
	@tools/format-man.sh
clean:
	rm -rf $(BUILD) $(BUILD)-*
.PHONY: bench-map hostile fuzz faults
bench-map: build
	@bench/map.sh $(BUILD)
.PHONY: bench-compare
bench-compare: build
	@CORECAST=$(abspath $(BUILD))/corecast bench/compare.sh
.PHONY: bench-growth
bench-growth: build
	@bench/growth.sh $(BUILD)
.PHONY: bench-loops
bench-loops: build
	@BUILD=$(BUILD) bench/loops.sh
.PHONY: bench-loops-random
# Verdicts on random nests against the model: COUNT=5000 programs at LEVELS="0 1 2"; goes on where it was stopped
bench-loops-random: build
	@BUILD=$(BUILD) bench/loops-random.sh
.PHONY: bench-page
bench-page: deps-check build
	@bench/page.sh $(BUILD)
.PHONY: check-firefox
# The report page's tests in Firefox instead of Chromium (FIREFOX=path, or Debian's firefox-esr); a note if there is none
check-firefox: build
	@BROWSER=firefox SOURCE=$(CURDIR) CORECAST=$(abspath $(BUILD))/corecast MAKE_CAST=$(abspath $(BUILD))/tests/make-cast tests/cli/page.sh
.PHONY: check-threads
check-threads: build
	@tools/check-threads.sh $(BUILD)
.PHONY: bench-explore
bench-explore: build
	@bench/explore.sh $(BUILD)
	@bench/explore-many.sh $(BUILD)
# Predicted beside measured on this machine alone: it has to be idle, and takes some minutes
.PHONY: bench-explore-measured
bench-explore-measured: build
	@PLANS=0 bench/explore.sh $(BUILD)
.PHONY: bench-explore-many
bench-explore-many: build
	@bench/explore-many.sh $(BUILD)
.PHONY: bench-size
bench-size: build
	@bench/size.sh $(BUILD) $(or $(TRACE),10000) $(or $(PROFILE),2000)
