install(FILES include/difflns.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS difflns_static)
install(TARGETS difflns_shared EXPORT difflns-targets)

# What the static library needs beside itself, as linker options, with the folder of any library that is not where linkers look.
set(STATIC_LINK_LIBRARIES "")
foreach(package JANSSON YAML ZSTD)
  list(APPEND STATIC_LINK_LIBRARIES ${${package}_LDFLAGS})
endforeach()
list(APPEND STATIC_LINK_LIBRARIES ${OpenMP_C_FLAGS} -lpthread -lm)
list(REMOVE_DUPLICATES STATIC_LINK_LIBRARIES)
string(REPLACE ";" " " PC_PRIVATE_LIBS "${STATIC_LINK_LIBRARIES}")

# The pkg-config file finds its prefix from where it lies, so an installed tree can be moved.
file(RELATIVE_PATH PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(packaging/difflns.pc.in ${PROJECT_BINARY_DIR}/difflns.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/difflns.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

include(CMakePackageConfigHelpers)
set(PACKAGE_FOLDER ${CMAKE_INSTALL_LIBDIR}/cmake/difflns)
configure_package_config_file(packaging/difflns-config.cmake.in ${PROJECT_BINARY_DIR}/difflns-config.cmake
  INSTALL_DESTINATION ${PACKAGE_FOLDER} PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/difflns-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/difflns-config.cmake ${PROJECT_BINARY_DIR}/difflns-config-version.cmake
  DESTINATION ${PACKAGE_FOLDER})
install(EXPORT difflns-targets NAMESPACE difflns:: DESTINATION ${PACKAGE_FOLDER})

if(DIFFLNS_PROGRAM)
  install(TARGETS difflns)
  # The man page and the shells' completions come from the program's own option table.
  set(TOLD ${PROJECT_BINARY_DIR}/told)
  file(MAKE_DIRECTORY ${TOLD})
  add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/difflns.1 ${TOLD}/difflns ${TOLD}/_difflns ${TOLD}/difflns.fish
    COMMAND difflns --man > ${PROJECT_BINARY_DIR}/difflns.1
    COMMAND difflns --completion bash > ${TOLD}/difflns
    COMMAND difflns --completion zsh > ${TOLD}/_difflns
    COMMAND difflns --completion fish > ${TOLD}/difflns.fish DEPENDS difflns VERBATIM)
  add_custom_target(difflns_man ALL DEPENDS ${PROJECT_BINARY_DIR}/difflns.1)
  install(FILES ${PROJECT_BINARY_DIR}/difflns.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${TOLD}/difflns DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${TOLD}/_difflns DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${TOLD}/difflns.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
