#pragma once

/// From now on Swift's tasks run on threads of this pool, and no longer on libdispatch's global queues.
///
/// Once one of those has had anything to do, libdispatch on Linux looks once a second, for as long as the program lives, whether its
/// threads are stuck. This pool looks only while tasks wait. What is left to libdispatch is the main queue, for tasks of the main actor.
///
/// To be called once, before the first task is started.
void task_pool_install(void);
