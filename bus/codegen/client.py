# Python 3.9 or later, nothing but its standard library.
from __future__ import annotations

import json
import math
import queue
import re
import subprocess
import sys
import threading
import uuid
from decimal import Decimal
from functools import lru_cache
from types import TracebackType
from typing import TYPE_CHECKING, Any, Dict, IO, Iterator, List, Mapping, Optional, Sequence, Tuple, Type, Union, cast
from typing import Literal, TypedDict

if sys.version_info >= (3, 11):
    from typing import NotRequired
elif TYPE_CHECKING:
    from typing_extensions import NotRequired

Code = Literal["VALIDATION", "FORBIDDEN", "PRECONDITION_FAILED", "CONFLICT", "NOT_FOUND", "TRANSIENT", "INTERNAL"]


class Violation(TypedDict):
    path: str  # JSON Pointer into the document; "" is the whole
    message: str


class Option(TypedDict):
    value: object
    title: str


class Choice(TypedDict):
    field: str
    options: List[Option]


class Result(TypedDict):
    status: Literal["success", "error"]
    request_id: str
    data: NotRequired[Any]
    facts: NotRequired[Dict[str, Any]]
    replayed: NotRequired[bool]
    dry_run: NotRequired[bool]
    summary: NotRequired[str]  # of a dry run: the sentence of what would be done
    execution_time_ms: int
    timestamp: int


class CapabilityError(Exception):
    """A call was refused or failed. Decide by code and reason, never by the message."""

    def __init__(self, code: Code, reason: str, message: str, answer: Optional[Mapping[str, Any]] = None) -> None:
        super().__init__(code + ": " + message)
        self.code: Code = code
        self.reason = reason
        self.message = message
        self.answer: Mapping[str, Any] = {} if answer is None else answer  # as it came; {}: nothing was sent
        self.hint: str = self.answer.get("recovery_hint", "")
        self.choices: List[Choice] = self.answer.get("choices", [])  # the values that there are
        self.violations: List[Violation] = self.answer.get("violations", [])
        self.schema_side: str = self.answer.get("schema_side", "")  # "request" or "response"
        self.retryable: bool = self.answer.get("retryable", False)
        self.retry_after_seconds: int = self.answer.get("retry_after_seconds", 0)
        self.request_id: str = self.answer.get("request_id", "")


class NoAnswer(Exception):
    """The program ended or was not heard of in time. What became of the call is unknown: on a new client, call again
    with the same idempotency key."""


class Bus:
    """A program that answers invocations, a line for a line. Threads may share it; calls run one after the other."""

    def __init__(self, command: Sequence[str], *, source: str = "python", caller: Literal["cli", "agent"] = "cli",
                 grace: float = 10) -> None:
        """Starts command, such as ["deskhand", "--data", "/srv/desk", "bus"].

        source names the calling program in the records. As "agent" calls are judged as those of an assistant. A call
        with a timeout is given grace seconds beyond it until NoAnswer is raised; one without waits for its answer.
        """
        self._caller = {"type": caller, "source": source}
        self._grace = grace
        self._lock = threading.Lock()
        self._lines: queue.Queue[bytes] = queue.Queue()
        self._process = subprocess.Popen(list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._reader = threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True)
        self._reader.start()

    def _read(self, out: IO[bytes]) -> None:
        for line in out:
            self._lines.put(line)
        self._lines.put(b"")

    def __enter__(self: _Self) -> _Self:
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self.close()

    def close(self, timeout: float = 10) -> None:
        """Ends the program: it finishes what it is doing, or is killed when the time is up."""
        process = self._process
        try:
            if process.stdin is not None:
                process.stdin.close()
        except OSError:
            pass  # it has ended
        try:
            process.wait(timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        self._reader.join()
        if process.stdout is not None:
            process.stdout.close()

    def invoke(self, capability: str, request: object, *, idempotency_key: Optional[str] = None,
               timeout: Optional[float] = None, dry_run: bool = False) -> Result:
        """Runs a capability and returns the whole result. It raises CapabilityError for what is refused or does not
        fit, and NoAnswer. timeout is in seconds."""
        if capability not in _CONTRACT:
            raise CapabilityError("NOT_FOUND", "capability", "This client has no %s: generate it again." % capability)
        version, takes, gives = _CONTRACT[capability]
        request_id = str(uuid.uuid4())
        invocation: Dict[str, object] = {"capability": capability, "arguments": request, "request_id": request_id,
                                         "min_version": version, "caller": self._caller}
        if idempotency_key is not None:
            invocation["idempotency_key"] = idempotency_key
        if timeout is not None:
            invocation["timeout_ms"] = max(1, int(timeout * 1000))
        if dry_run:
            invocation["dry_run"] = True
        _verify(capability, "request", takes, request, request_id)
        line = json.dumps(invocation, allow_nan=False).encode() + b"\n"
        with self._lock:
            answer = self._ask(line, request_id, timeout)
        if answer.get("status") != "success":
            raise CapabilityError(answer.get("code", "INTERNAL"), answer.get("reason", ""),
                                  answer.get("message", ""), answer)
        if "data" in answer:
            _verify(capability, "response", gives, answer["data"], request_id)
        return cast(Result, answer)

    def _ask(self, line: bytes, request_id: str, timeout: Optional[float]) -> Dict[str, Any]:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line)
            self._process.stdin.flush()
            while True:  # what comes for another id is the answer of a call that was interrupted
                got = self._lines.get(timeout=None if timeout is None else timeout + self._grace)
                if not got:
                    break
                answer = json.loads(got)
                if isinstance(answer, dict) and answer.get("request_id") == request_id:
                    return answer
        except queue.Empty:
            self._process.kill()
            raise NoAnswer("no answer in %g s, the program was ended" % ((timeout or 0) + self._grace)) from None
        except ValueError as error:
            raise NoAnswer("the client is closed, or the program does not write JSON: %s" % error) from error
        except OSError:
            pass  # it has ended
        raise NoAnswer("the program ended with code %s" % self._process.wait())

    def _data(self, capability: str, request: object, idempotency_key: Optional[str], timeout: Optional[float]) -> Any:
        return self.invoke(capability, request, idempotency_key=idempotency_key, timeout=timeout).get("data")


if TYPE_CHECKING:
    from typing import TypeVar
    _Self = TypeVar("_Self", bound=Bus)


@lru_cache(maxsize=None)
def _document(schema: str) -> Any:
    return json.loads(schema)


def _verify(capability: str, side: str, schema: str, value: object, request_id: str) -> None:
    """Raises CapabilityError unless value is JSON that fits the schema of that side."""
    try:
        document = _document(schema)
        found = list(_violations(document, document, value, "", side == "response"))
    except RecursionError:
        found = [{"path": "", "message": "nested too deep"}]
    if not found:
        return
    first = found[0]
    about = (first["path"] + ": " if first["path"] else "") + first["message"]
    answer = {"violations": found, "schema_side": side}
    if side == "request":
        raise CapabilityError("VALIDATION", "arguments", "The arguments do not fit %s: %s." % (capability, about), answer)
    answer["request_id"] = request_id
    raise CapabilityError("INTERNAL", "response", "%s was done, and its answer does not fit this client: %s."
                          % (capability, about), answer)


_KINDS = {"null": type(None), "boolean": bool, "string": str, "array": list, "object": dict}


def _is(kind: str, value: object) -> bool:
    if kind in _KINDS:
        return isinstance(value, _KINDS[kind])
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return kind == "number" or isinstance(value, int) or value.is_integer()


def _same(a: object, b: object) -> bool:
    return a == b and isinstance(a, bool) == isinstance(b, bool)


def _at(root: Any, reference: str) -> Any:
    node = root
    for step in reference[1:].split("/")[1:]:
        node = node[step.replace("~1", "/").replace("~0", "~")]
    return node


def _violations(root: Any, schema: Any, value: Any, path: str, lenient: bool) -> Iterator[Violation]:
    """Yields what keeps value from fitting schema. A lenient reader ignores fields that it does not know. Formats are
    left to the program."""

    def no(message: str, at: str = "") -> Violation:
        return {"path": path + at, "message": message}

    def fits(part: Any) -> bool:
        return next(_violations(root, part, value, path, lenient), None) is None

    if not isinstance(value, (type(None), bool, int, float, str, list, dict)):
        yield no("%s is nothing that JSON has" % type(value).__name__)
        return
    if isinstance(value, float) and not math.isfinite(value):
        yield no("%s is no number of JSON" % value)
        return
    if schema is False:
        yield no("not allowed")
    if not isinstance(schema, dict):
        schema = {}
    if "$ref" in schema:
        yield from _violations(root, _at(root, schema["$ref"]), value, path, lenient)
    kinds = schema.get("type", [])
    kinds = kinds if isinstance(kinds, list) else [kinds]
    if kinds and not any(_is(kind, value) for kind in kinds):
        yield no("got %s, want %s" % (_name(value), " or ".join(kinds)))
        return
    if "const" in schema and not _same(value, schema["const"]):
        yield no("must be " + json.dumps(schema["const"]))
    if "enum" in schema and not any(_same(value, one) for one in schema["enum"]):
        yield no("must be one of " + ", ".join(json.dumps(one) for one in schema["enum"]))
    for part in schema.get("allOf", []):
        yield from _violations(root, part, value, path, lenient)
    if "anyOf" in schema and not any(fits(part) for part in schema["anyOf"]):
        yield no("fits none of the alternatives")
    if "oneOf" in schema:
        fitting = sum(fits(part) for part in schema["oneOf"])
        if fitting == 0 or fitting > 1 and not lenient:
            yield no("fits %d of the alternatives, must fit one" % fitting)
    if "not" in schema and fits(schema["not"]) and not lenient:
        yield no("is what is excluded")
    if isinstance(value, str):
        yield from _bounds(no, schema, "Length", len(value), "characters")
        if "pattern" in schema and not _matches(schema["pattern"], value):
            yield no("does not match " + schema["pattern"])
    elif isinstance(value, list):
        yield from _bounds(no, schema, "Items", len(value), "items")
        if schema.get("uniqueItems") and len({json.dumps(item, sort_keys=True) for item in value}) < len(value):
            yield no("has an item twice")
        first = schema.get("prefixItems", [])
        for n, item in enumerate(value):
            rest = first[n] if n < len(first) else schema.get("items", True)
            yield from _violations(root, rest, item, "%s/%d" % (path, n), lenient)
    elif isinstance(value, dict):
        yield from _bounds(no, schema, "Properties", len(value), "fields")
        fields = schema.get("properties", {})
        for name in schema.get("required", []):
            if name not in value and (lenient or "default" not in fields.get(name, {})):
                yield no("is missing", "/" + name)
        for name, item in value.items():
            if not isinstance(name, str):
                yield no("%r is no name of a field" % (name,))
                continue
            more = True if lenient and schema.get("additionalProperties") is False else \
                schema.get("additionalProperties", True)
            here = "%s/%s" % (path, name.replace("~", "~0").replace("/", "~1"))
            if name not in fields and more is False:
                yield {"path": here, "message": "there is no such field"}
            else:
                yield from _violations(root, fields.get(name, more), item, here, lenient)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        for keyword, wrong in (("minimum", value < schema.get("minimum", value)),
                               ("maximum", value > schema.get("maximum", value)),
                               ("exclusiveMinimum", value <= schema.get("exclusiveMinimum", -math.inf)),
                               ("exclusiveMaximum", value >= schema.get("exclusiveMaximum", math.inf))):
            if wrong:
                yield no("%s is %s" % (keyword, schema[keyword]))
        if "multipleOf" in schema and Decimal(repr(value)) % Decimal(repr(schema["multipleOf"])) != 0:
            yield no("must be a multiple of %s" % schema["multipleOf"])


def _bounds(no: Any, schema: Any, what: str, n: int, unit: str) -> Iterator[Violation]:
    if n < schema.get("min" + what, 0):
        yield no("has %d %s, needs %d" % (n, unit, schema["min" + what]))
    if n > schema.get("max" + what, n):
        yield no("has %d %s, may have %d" % (n, unit, schema["max" + what]))


def _matches(pattern: str, value: str) -> bool:
    try:
        return re.search(pattern, value) is not None
    except re.error:
        return True  # written for another engine: the program decides


def _name(value: object) -> str:
    return next(kind for kind in ("null", "boolean", "integer", "number", "string", "array", "object")
                if _is(kind, value))
