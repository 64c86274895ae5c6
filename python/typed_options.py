"""Writes difflns/_options.py from the library's table of options: the types that mypy and editors know keywords by.

    DIFFLNS_LIBRARY=build/libdifflns.so python3 python/typed_options.py > python/difflns/_options.py
"""
from __future__ import annotations

from difflns._native import OPTION_CHOICE, OPTION_FLAG, OPTION_INT, OPTION_REAL, call

TYPES = {OPTION_INT: "int", OPTION_REAL: "float", OPTION_FLAG: "bool"}


def main() -> None:
    print('"""The keywords of Solver and solve, for type checkers: made by typed_options.py from the library\'s table."""')
    print("from __future__ import annotations\n\nfrom typing import Literal, TypedDict\n\n")
    print("class Options(TypedDict, total=False):")
    for index in range(call.option_count()):
        kind = call.option_kind(index)
        if kind == OPTION_CHOICE:
            words = ", ".join(f'"{word}"' for word in call.option_choices(index).decode().split("|"))
            kept = f"Literal[{words}]"
        else:
            kept = TYPES[kind]
        print(f"    {call.option_name(index).decode().replace('-', '_')}: {kept}")
        print(f"    {call.option_help(index).decode()!r}")


main()
