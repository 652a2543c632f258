#!/usr/bin/env bash
# Reports in JUnit's form as two readers see them. A suite within a suite, which Jenkins' schema allows, is empty to junit2html, failures included; and it shows a case with
# a <rerunFailure> or a <flakyFailure> (Surefire) as passed, as junitparser does. Seconds with a separator of thousands, as Surefire wrote them, are read by both.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet --disable-pip-version-check junit2html==31.1.4 junitparser==5.0.3 Jinja2==3.1.6
cd "$work"
env/bin/python - <<'END' | tee seen
import importlib.metadata as packages
from junit2htmlreport.parser import Junit
from junitparser import JUnitXml

reports = {
    "a suite within a suite": '<testsuites><testsuite name="a"><testsuite name="b"><testcase name="t"><failure/></testcase></testsuite></testsuite></testsuites>',
    "a failure and an error": '<testsuite name="a"><testcase name="t"><failure/><error/></testcase></testsuite>',
    "a flaky failure": '<testsuite name="a"><testcase name="t"><flakyFailure message="m"/></testcase></testsuite>',
    "1,234.5 seconds": '<testsuite name="a"><testcase name="t" time="1,234.5"/></testsuite>',
    "no cases": '<testsuites/>',
}
for name in ["junit2html", "junitparser"]: print(name, packages.version(name))
for title, report in reports.items():
    with open("report.xml", "w") as file: file.write(report)
    cases = [case for suite in Junit("report.xml").suites for case_class in suite.classes.values() for case in case_class.cases]
    print(title)
    print("    junit2html:", ", ".join(f"{case.name} {case.outcome().value} {case.duration}" for case in cases) or "nothing")
    whole = JUnitXml.fromstring(report)
    whole.update_statistics()
    print(f"    junitparser: {whole.tests} tests, {whole.failures} failures, {whole.errors} errors, {whole.time} s")
END
diff - seen <<'END'
junit2html 31.1.4
junitparser 5.0.3
a suite within a suite
    junit2html: nothing
    junitparser: 1 tests, 1 failures, 0 errors, 0.0 s
a failure and an error
    junit2html: t failed 0.0
    junitparser: 1 tests, 1 failures, 1 errors, 0.0 s
a flaky failure
    junit2html: t passed 0.0
    junitparser: 1 tests, 0 failures, 0 errors, 0.0 s
1,234.5 seconds
    junit2html: t passed 1234.5
    junitparser: 1 tests, 0 failures, 0 errors, 1234.5 s
no cases
    junit2html: nothing
    junitparser: 0 tests, 0 failures, 0 errors, 0.0 s
END
