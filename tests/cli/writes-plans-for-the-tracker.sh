# Every property that the tracker's published table requires is there, of its type; and what its examples show is read.
"$DIFFLNS" convert -m "$DATA/toy.map" -i "$DATA/toy.scen" "$DATA/toy.paths" -o toy.json --format tracker
/usr/bin/python3 - <<'END'
import json
entry = json.load(open("toy.json"))
required = {"map_name": str, "scen_type": str, "type_id": int, "agents": int, "solution_plan": (str, list)}
optional = {"lower_cost": int, "solution_cost": int, "flip_up_down": (int, bool)}
for name, kind in required.items():
    assert isinstance(entry[name], kind), name
for name, value in entry.items():
    assert isinstance(value, {**required, **optional}[name]), name
assert entry["scen_type"] in ("even", "random") and len(entry["solution_plan"].split("\n")) == entry["agents"]
END
check() {
    "$DIFFLNS" check -m "$DATA/toy.map" -i "$DATA/toy.scen" "$1" | cut -d ' ' -f 1
}
echo '{"map_name": "toy", "scen_type": "random", "type_id": 1, "agent_count": 3, "solution_plan": ["4r", "2d4l", "rd"]}' >list.json
check list.json
printf 'map_name,scen_type,type_id,agent_count,solution_plan,flip_up_down\n"toy",random,1,3,"4r\n2u4l\nru",TRUE\n' >flipped.csv
check flipped.csv
