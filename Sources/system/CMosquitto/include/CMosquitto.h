/* libmosquitto as a module, with what a loop around it needs, and what Swift can't do with it. */
#pragma once
#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <sys/eventfd.h>

/* Gives no password for a private key that asks for one: without it OpenSSL would ask at the terminal, and wait. */
static inline int mosquitto_no_password(char *buffer, int size, int is_writing, void *context) {
    (void)buffer, (void)size, (void)is_writing, (void)context;
    return 0;
}
