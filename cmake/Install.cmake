install(FILES include/difflns.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS difflns_static difflns_shared difflns)
# The pkg-config file finds its prefix from where it lies, so an installed tree can be moved.
file(RELATIVE_PATH PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
set(PC_PRIVATE_LIBS "-lgomp -lpthread -lm")
set(PC_PRIVATE_PACKAGES "jansson yaml-0.1 libzstd")
configure_file(cmake/difflns.pc.in ${PROJECT_BINARY_DIR}/difflns.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/difflns.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
# The man page comes from the program's own option table.
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/difflns.1
  COMMAND difflns --man > ${PROJECT_BINARY_DIR}/difflns.1 DEPENDS difflns VERBATIM)
add_custom_target(difflns_man ALL DEPENDS ${PROJECT_BINARY_DIR}/difflns.1)
install(FILES ${PROJECT_BINARY_DIR}/difflns.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
