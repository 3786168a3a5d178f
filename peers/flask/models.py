"""What requests may say."""

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

Integer = Annotated[float, Field(multiple_of=1)]  # 1.0 is an integer too
Short = Annotated[str, Field(max_length=5)]
Large = Annotated[float, Field(ge=10)]



def clamped(queries):
    """Returns the number of requested rows: 1 for anything but digits."""
    if not (queries.isascii() and queries.isdigit()):
        return 1
    return min(500, max(1, int(queries)))


class Delay(BaseModel):
    ms: int = Field(2000, ge=0, le=60_000)
    every: int = Field(10, ge=1, le=1_000_000)


class Primes(BaseModel):
    limit: int = Field(1_000_000, ge=2, le=10_000_000)


class Rows(BaseModel):
    queries: Annotated[int, BeforeValidator(clamped)] = 1


class Stream(BaseModel):
    events: int = Field(100, ge=1, le=10_000)
    ms: int = Field(0, ge=0, le=1000)


class Query(BaseModel):
    name: str = ""
    excitement: str = Field("0", pattern=r"^-?[0-9]+$")


class Body(BaseModel):
    model_config = ConfigDict(strict=True)

    requiredKey: Annotated[list[Integer], Field(max_length=3)]
    someKey: str = ""
    someOtherKey: float = 0
    nullableKey: float | None = None
    multipleTypesKey: bool | float = False
    multipleRestrictedTypesKey: Short | Large = ""
    enumKey: Literal["John", "Foo"] = "John"
