"""An address checker for a shop: a peer on standard input and output, one line of JSON a frame."""

import json
import re
import sys
from typing import Literal, TypedDict

FORMS = {
    "AT": r"\d{4}",
    "CH": r"\d{4}",
    "DE": r"\d{5}",
    "FR": r"\d{5}",
    "GB": r"[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}",
    "NL": r"\d{4} ?[A-Z]{2}",
    "US": r"\d{5}(-\d{4})?",
}


class CheckAddressRequest(TypedDict):
    country: str
    postalCode: str


class CheckAddressResponse(TypedDict, total=False):
    verdict: Literal["fits", "wrong", "unknown"]
    form: str


def check_address(asked: CheckAddressRequest) -> CheckAddressResponse:
    form = FORMS.get(asked["country"])
    if form is None:
        return {"verdict": "unknown"}
    fits = re.fullmatch(form, asked["postalCode"].strip().upper())
    return {"verdict": "fits" if fits else "wrong", "form": form}


def say(frame: dict[str, object]) -> None:
    print(json.dumps(frame), flush=True)


def answer(invocation: dict[str, object]) -> dict[str, object]:
    result: dict[str, object] = {"request_id": invocation.get("request_id", "")}
    if invocation.get("capability") != "check-address":
        return result | {"status": "error", "code": "NOT_FOUND", "reason": "capability",
                         "message": "This peer checks addresses and does nothing else."}
    return result | {"status": "success", "data": check_address(invocation["arguments"])}  # type: ignore[arg-type]


say({"type": "hello", "body": {"protocol": 1}})
for line in sys.stdin:
    frame = json.loads(line)
    if frame["type"] == "invoke":
        say({"type": "result", "id": frame["id"], "body": answer(frame["body"])})
