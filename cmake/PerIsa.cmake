# Hot files are compiled once for each instruction set below; the one to run is chosen by base/isa.c. A build for one
# machine (DIFFLNS_NATIVE) and processors without such a choice compile them once, under their plain names.
set(DIFFLNS_ISAS "")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$" AND NOT DIFFLNS_NATIVE)
  set(DIFFLNS_ISAS baseline avx2 avx512)
endif()
# base/isa.c must ask the machine for each feature named here.
set(ISA_OPTIONS_baseline "")
set(ISA_OPTIONS_avx2 -mavx2 -mfma -mbmi -mbmi2 -mpopcnt -mtune=haswell)
set(ISA_OPTIONS_avx512 -mavx2 -mfma -mbmi -mbmi2 -mpopcnt -mavx512f -mavx512vl -mavx512bw -mavx512dq -mavx512cd
  -mtune=icelake-server -mprefer-vector-width=256)

# difflns_per_isa(TARGET ROOM SOURCE...): adds the sources of lib/ROOM to the target, and their copies' objects to the list
# DIFFLNS_COPIES. Each copy's public names, those of lib/ROOM/per_isa.def, end with its instruction set; lib/ROOM/per_isa.c
# has them under their plain names.
function(difflns_per_isa target room)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/lib/${room}/ OUTPUT_VARIABLE sources)
  set(table ${PROJECT_SOURCE_DIR}/lib/${room}/per_isa.def)
  if(NOT DIFFLNS_ISAS)
    target_sources(${target} PRIVATE ${sources})
    return()
  endif()
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${table})
  file(STRINGS ${table} rows REGEX "^PER_ISA")
  target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/lib/${room}/per_isa.c)
  foreach(isa ${DIFFLNS_ISAS})
    string(MAKE_C_IDENTIFIER ${target}_${room}_${isa} copy)
    add_library(${copy} OBJECT ${sources})
    set_target_properties(${copy} PROPERTIES C_VISIBILITY_PRESET hidden)
    target_link_libraries(${copy} PRIVATE difflns_flags)
    target_compile_options(${copy} PRIVATE -Wconversion ${ISA_OPTIONS_${isa}})
    foreach(row ${rows})
      string(REGEX REPLACE "^PER_ISA.([a-z0-9_]+),.*" "\\1" name "${row}")
      target_compile_definitions(${copy} PRIVATE ${name}=${name}_${isa})
    endforeach()
    list(APPEND DIFFLNS_COPIES $<TARGET_OBJECTS:${copy}>)
  endforeach()
  set(DIFFLNS_COPIES ${DIFFLNS_COPIES} PARENT_SCOPE)
endfunction()
