# Everything runs inside .venv of this checkout; nothing is installed globally.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
ARGS   ?=
# Three for two cores: some tests wait for programs and servers in real time.
WORKERS = $(shell $(BIN)/python -c 'import os; cores = os.cpu_count() or 1; print(cores + (cores + 1) // 2)')

.DEFAULT_GOAL := help

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## /{printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(STAMP): requirements.lock pyproject.toml fakecluster/pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed, this is " + sys.version.split()[0] + "; set PYTHON=/path/to/python3.11")'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@# The second one: an older kueue-conformance, which the first replaces, takes its program \`fakecluster\` with it.
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e ./fakecluster
	@touch $@

install: $(STAMP) ## create .venv and install the locked dependencies

wheels: $(STAMP) ## build the wheels of kueue-conformance and fakecluster into dist/
	$(BIN)/python -m build --wheel --no-isolation --outdir dist fakecluster
	$(BIN)/python -m build --wheel --no-isolation --outdir dist .

conformance: $(STAMP) ## judge the reference Kueue and its integration of Jobs in every dialect; writes conformance-report/
	$(BIN)/kueue-conformance run --dialect all --profile ADMISSION,VISIBILITY,QUEUEING,PROVISIONING-CHECK,PROVISIONING-REQUEST,JOB-INTEGRATION $(ARGS)

sizes: $(STAMP) ## judge the reference by the scenarios that are too large for `make conformance` (a minute)
	$(BIN)/kueue-conformance run 'PRQ-28*' --profile PROVISIONING-REQUEST --report-dir "" --pytest-arg --timeout=900 $(ARGS)

demo: $(STAMP) ## watch a Job get quota, machines and an end, on virtual time; writes demo.html
	$(BIN)/kueue-conformance demo $(ARGS)

test: $(STAMP) ## run every test of the project
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(ARGS)

test-serial: $(STAMP) ## the fast part of the tests in one process
	$(BIN)/python -m pytest -n 0 -m "not slow and not acceptance and not html and not zoo and not kind and not exhaustive" $(ARGS)

# $(call checked,COMMAND,WHAT MENDS IT)
checked = @echo "$(1)"; $(1) || { echo "make check: $(2)" >&2; exit 1; }

check: $(STAMP) ## ruff, mypy --strict, import contracts, dead code, imports of tests, names; a failure ends with what mends it
	$(call checked,$(BIN)/ruff check .,run 'make format'; it mends what can be mended without thought. What is left is mended by hand)
	$(call checked,$(BIN)/ruff format --check .,run 'make format')
	$(call checked,$(BIN)/mypy,mend the types above; '$(BIN)/mypy PATH' checks one file)
	$(call checked,$(BIN)/lint-imports,move the import or the module; pyproject.toml says under [tool.importlinter] why each contract is there)
	$(call checked,$(BIN)/vulture,delete the names above. What a framework or a reader calls by name goes into [tool.vulture] of pyproject.toml with its reason)
	$(call checked,$(BIN)/python -m tools.imported_names,the module has no such name: import the one that it has now)
	$(call checked,$(BIN)/python -m tools.vocabulary,rename what is listed above; '$(BIN)/python -m tools.vocabulary --help' says how to see the rest)

format: $(STAMP) ## let ruff rewrite the files
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

mutation: $(STAMP) ## change the reference's decisions one place at a time: a case must fail (a sample of 600 in 40 minutes of two cores, goes on where it was ended; ARGS=--all for every one, ARGS=--help)
	$(BIN)/python -m kueue_conformance.tests.mutation $(ARGS)

zoo: $(STAMP) ## run every wrong check controller and control plane against the scenario named for it
	$(BIN)/python -m pytest -n auto --dist worksteal -m zoo $(ARGS)

kill-matrix: $(STAMP) ## run scenarios against wrong check controllers, control planes and job integrations and write docs/kill-matrix.md; ARGS="--zoo control-planes --named" (2 minutes), --seeds (30), all of it: hours
	$(BIN)/python -m kueue_conformance.tests.killing $(ARGS)

backtest: $(STAMP) ## judge a control plane with the fault of each fix that Kueue shipped, and write docs/backtest.md; four minutes
	$(BIN)/python -m kueue_conformance.tests.backtest

repetitions: $(STAMP) ## the right check controller passes: core 200 times, everything 20 times, in any order, on all cores
	$(BIN)/python -m kueue_conformance.tests.killing.repetitions $(ARGS)

disorder: $(STAMP) ## every profile passes with 20 orders in which the harness's watches may deliver (90 minutes of a core); ARGS="--seeds N --first N --profile P", others are passed on to `run`
	$(BIN)/python -m kueue_conformance.tests.guests.disorder $(ARGS)

bench: $(STAMP) ## measure; prints figures and ratios, asserts nothing
	$(BIN)/python -m benchmarks $(ARGS)

oracle: ## build the real kube-apiserver, kube-controller-manager, kube-scheduler and etcd into .oracle/bin (needs Go; 6 minutes, then cached)
	@fixtures/oracle/build.sh .oracle/bin

differential: $(STAMP) ## ask the fake API server and the real one the same (needs `make oracle`)
	$(BIN)/kueue-conformance differential $(ARGS)

recordings: $(STAMP) ## play the recorded stories against a real Kueue; ARGS="--backend envtest --control-plane upstream:./kueue"
	$(BIN)/kueue-conformance record kueue $(ARGS)

fuzz: $(STAMP) ## send a million random requests to a fake API server; ARGS="--requests N --seed N"
	$(BIN)/python -m fakecluster.tests.fuzz $(ARGS)

upgrades: $(STAMP) ## replace Kueue 0.19.2 by 0.20.7 at every step of 45 stories, and back (a minute); ARGS="UPG-016"; then under a check controller
	$(BIN)/kueue-conformance run --upgrade-from 0.19.2 --dialect 0.20.7 --report-dir "" $(ARGS)
	$(BIN)/kueue-conformance run --upgrade-from 0.20.7 --dialect 0.19.2 --report-dir "" $(ARGS)
	$(BIN)/kueue-conformance run --upgrade-from 0.19.2 --dialect 0.20.7 --report-dir "" --subject-file kueue_conformance/tests/zoo/right.yaml

schedules: $(STAMP) ## carry out 2000 schedules of cloud faults, refused writes and restarts against the autoscaler (a minute); ARGS="--schedules N --seed N"
	$(BIN)/python -m reference_impl.tests.autoscaler.schedules $(ARGS)

histories: $(STAMP) ## judge what clients see in 10 000 seeded schedules by one order of revisions (10 minutes of a core); ARGS="--schedules N --seed N", ARGS="--kubeconfig FILE --schedules 500" for another server
	$(BIN)/python -m fakecluster.tests.histories $(ARGS)

explore: $(STAMP) ## look for what no scenario names: control planes, a check controller, histories of the server (4 minutes); writes explored/; ARGS="--for 10m --seed N"
	$(BIN)/kueue-conformance explore --control-plane reference --out explored/control-plane $(if $(ARGS),$(ARGS),--runs 500)
	$(BIN)/kueue-conformance explore --subject-file examples/check_controllers/python/subject.yaml --out explored/check-controller $(if $(ARGS),$(ARGS),--runs 30)
	$(BIN)/python -m fakecluster.tests.histories --schedules 500

interruptions: $(STAMP) ## interrupt every write at every step of the server, replicas by a hundred schedules, and run the tests that wait for minutes (6 minutes)
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m exhaustive $(ARGS)

soak: $(STAMP) ## run the whole stack for an hour with users, crashes and faults on loopback; writes soak-report/; ARGS="--for 10m --seed N --users N"
	$(BIN)/python -m kueue_conformance.tests.soak $(ARGS)

attack: $(STAMP) ## send hostile requests to our programs on loopback, beside a client that behaves; ARGS="--seconds N --seed N"
	$(BIN)/python -m kueue_conformance.tests.attack $(ARGS)

bench-oracle: $(STAMP) ## measure the fake API server beside the real one (needs `make oracle` and two idle cores)
	$(BIN)/python -m benchmarks.oracle

test-html: $(STAMP) ## look at the HTML report and the page of `run --live` in a headless Chromium (unsupported where there is none)
	$(BIN)/python -m pytest -n 0 -m html kueue_conformance/tests/page kueue_conformance/tests/live $(ARGS)

acceptance: $(STAMP) ## judge the example controllers of every language; run Go programs (what is not installed is skipped, visibly)
	$(BIN)/python -m pytest -n 2 --dist worksteal -o faulthandler_timeout=0 -m acceptance $(ARGS)

honest-controllers: $(STAMP) ## judge controllers in several languages that make honest mistakes, each by the scenario named for it, and right ones (hours; ARGS="go --wrong", ARGS="java polling", ARGS=--seeds for the right ones in 20 seeds, which goes on where it was ended; what is not installed is unsupported)
	$(BIN)/python -m kueue_conformance.tests.honest_controllers $(ARGS)

kind-image: ## build the node image of the kind clusters, and kind itself, without a registry (needs Go, Docker, debootstrap, root; 12 minutes, then cached)
	@fixtures/kind/build.sh .kind

image: $(STAMP) ## build the images of the reference and of the suite, which `manifests` of both name (needs Docker, debootstrap, root; 2 minutes, then cached)
	@fixtures/image/build.sh .image $(BIN)/python

e2e: $(STAMP) kind-image image ## judge the reference on kind clusters, every profile, and that nothing is left (40 minutes)
	$(BIN)/python -m pytest -n 0 -s -o faulthandler_timeout=0 -m kind kueue_conformance/tests/on_kind $(ARGS)

lock: ## make requirements.lock anew (needs uv)
	uv pip compile pyproject.toml fakecluster/pyproject.toml --group dev --universal --no-emit-package fakecluster --generate-hashes --no-header --no-annotate --no-emit-index-url --quiet --python-version 3.11 -o requirements.lock

docs: $(STAMP) ## build the documentation into site/; it opens from disk and needs no network
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --site-dir site $(ARGS)

drawings: $(STAMP) ## draw the packages and the ways from the code into docs/drawings/
	$(BIN)/python -m kueue_conformance.tests.drawing

clean: ## remove what the targets made
	rm -rf $(VENV) .mutation conformance-report dist site .pytest_cache .mypy_cache .ruff_cache

.PHONY: wheels soak explore histories help backtest upgrades honest-controllers disorder interruptions docs drawings demo kind-image image e2e install conformance sizes zoo test-html acceptance bench-oracle test test-serial check format mutation kill-matrix repetitions bench oracle differential recordings fuzz attack lock clean schedules
