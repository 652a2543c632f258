#pragma once

/// How often the calling thread has asked for memory since it began.
unsigned long allocation_count(void);
