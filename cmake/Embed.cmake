# difflns_embed(HEADER FILE...): a header with one `static const char asset_<name>[]` (NUL-terminated) for each file.
function(difflns_embed header)
  set(assets ${ARGN})
  string(REPLACE ";" "|" joined "${assets}")
  add_custom_command(OUTPUT ${header}
    COMMAND ${CMAKE_COMMAND} -DHEADER=${header} "-DASSETS=${joined}" -P ${PROJECT_SOURCE_DIR}/cmake/EmbedScript.cmake
    DEPENDS ${assets} ${PROJECT_SOURCE_DIR}/cmake/EmbedScript.cmake VERBATIM)
endfunction()
