#ifndef BELFRY_PORTAL_FILE_H
#define BELFRY_PORTAL_FILE_H

#include <stddef.h>

/*
 * A file in memory with these bytes, of the kind that the portal may seal (memfd_create(2), MFD_ALLOW_SEALING), positioned at
 * its start. The bytes are borrowed; the descriptor is the caller's to close. -1, and errno, on failure.
 */
int belfry_portal_file(const void *bytes, size_t length);

#endif
