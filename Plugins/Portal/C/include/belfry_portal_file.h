#ifndef BELFRY_PORTAL_FILE_H
#define BELFRY_PORTAL_FILE_H

#include <stddef.h>

/*
 * Creates a memory file with these bytes that the portal can seal (memfd_create(2), MFD_ALLOW_SEALING), positioned at
 * its start. The bytes are borrowed. Returns a descriptor that the caller closes, or -1 and sets errno.
 */
int belfry_portal_file(const void *bytes, size_t length);

#endif
