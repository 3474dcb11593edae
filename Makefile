# make demo   installs, puts the bundled sample back together, verifies the case, opens the window if there is a display
# make run    the window
# make check  format, lint, types, import contracts, the examples in docstrings, and the tests that take no time
# make test   the same with all tests; .ci/run calls it
# make house  the rooms of the house: how large they are and what each is for; make house ROOM=core/shreds, the modules of one
# make bench  timings of the encoder, of the solver, of the window's start, and of the window with thousands of shreds
# make bundle   dist/rejoin: a folder that runs where no Python is; bundle/README.md has the steps for other systems
# make test-bundle       builds it, and starts it in an empty environment
# make install-desktop   the bundle in this user's menu, and cases that open by double click
# make weights PAGES=FOLDER   from nothing to the shipped weights; FOLDER holds scans of intact pages, 300 dpi, .jpg

PYTHON ?= python3
VENV   := .venv
RUN    := $(VENV)/bin/python
INVENTED ?= 600
SCRIPTS ?= 364
STEPS ?= 5500
SAMPLE := resources/samples/sheet_1.jpg resources/samples/sheet_2.jpg

# Tests start dozens of programs: each would compile all modules anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo run check test static types style contracts examples house format bench bundle test-bundle install-desktop weights clean

demo: $(VENV)/installed
	@mkdir -p out
	$(RUN) main.py reconstruct $(SAMPLE) -o out/sample.pdf --json out/sample.json --case out/sample.rejoin --list-joins
	$(RUN) main.py verify out/sample.rejoin
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ]; then $(RUN) main.py $(SAMPLE); \
	else echo "There is no display, so the window stays closed. The pages are in out/sample.pdf."; fi

run: $(VENV)/installed
	$(RUN) main.py

check: static
	QT_QPA_PLATFORM=offscreen $(VENV)/bin/pytest -q --numprocesses 2 --dist worksteal -m "not slow"

test: static
	QT_QPA_PLATFORM=offscreen $(VENV)/bin/pytest -q --numprocesses 2 --dist worksteal

static: $(VENV)/installed-for-tests
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target types style contracts examples

types:
	$(VENV)/bin/mypy

style:
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .

contracts:
	$(VENV)/bin/lint-imports

examples:
	$(VENV)/bin/pytest -q --doctest-modules core

house:
	@$(PYTHON) benchmarks/house.py $(ROOM)

format: $(VENV)/installed-for-tests
	$(VENV)/bin/ruff format .
	$(VENV)/bin/ruff check --fix .

bench: $(VENV)/installed-for-tests
	$(RUN) benchmarks/bench_embedding.py
	$(RUN) benchmarks/bench_solver.py
	$(RUN) benchmarks/bench_startup.py
	$(RUN) benchmarks/bench_samples.py
	$(RUN) benchmarks/bench_window.py
	$(RUN) benchmarks/bench_table.py

bundle: $(VENV)/installed-for-tests
	$(RUN) bundle/build.py

test-bundle: bundle
	REJOIN_BUNDLE=dist/rejoin $(VENV)/bin/pytest -q tests/bundle
	$(RUN) benchmarks/bench_bundle.py

install-desktop:
	@test -x dist/rejoin/rejoin || { echo "There is no bundle yet: make bundle" >&2; exit 2; }
	dist/rejoin/desktop/install

weights: $(VENV)/installed-for-tests
	@test -n "$(PAGES)" || { echo "Say where the scans are: make weights PAGES=FOLDER" >&2; exit 2; }
	$(RUN) -m training.rendering -o out/invented --pages $(INVENTED) --seed 1 --processes $(shell nproc)
	$(RUN) -m training.corpus out/invented -o out/invented.npz
	$(RUN) -m training.corpus $(PAGES) --pattern '**/*.jpg' -o out/scanned.npz
	mkdir -p out/weights
	$(RUN) -m training.train out/scanned.npz out/invented.npz --shares 0.5 0.5 --steps $(STEPS) --sample-height-px 96 \
		--seed 1 --resume -o out/weights/encoder.keras
	$(RUN) -m training.rendering -o out/scripts --pages $(SCRIPTS) --seed 2 --by-script --processes $(shell nproc)
	$(RUN) -m training.corpus out/scripts --as-they-lie -o out/scripts.npz
	$(RUN) -m training.way_up out/scanned.npz out/invented.npz out/scripts.npz --shares 0.35 0.15 0.5 \
		--seed 1 -o out/weights/way_up.keras

clean:
	rm -rf $(VENV) out build dist *.egg-info

$(VENV)/bin/python:
	./install-system-packages
	$(PYTHON) -m venv $(VENV)
	$(RUN) -m pip install --quiet --upgrade pip

$(VENV)/installed: pyproject.toml | $(VENV)/bin/python
	$(RUN) -m pip install --quiet --editable .
	@touch $@

$(VENV)/installed-for-tests: pyproject.toml install-system-packages | $(VENV)/bin/python
	./install-system-packages tests
	$(RUN) -m pip install --quiet --editable '.[dev]'
	@touch $@ $(VENV)/installed
