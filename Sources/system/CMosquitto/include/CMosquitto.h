/* libmosquitto as a module, with eventfd(2) for an event loop around it, and what Swift can't do with it. */
#pragma once
#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <sys/eventfd.h>

/* A callback that gives no password for an encrypted private key. Without it OpenSSL would ask at the terminal and wait. */
static inline int mosquitto_no_password(char *buffer, int size, int is_writing, void *context) {
    (void)buffer, (void)size, (void)is_writing, (void)context;
    return 0;
}
