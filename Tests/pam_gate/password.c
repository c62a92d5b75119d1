// A module in place of pam_unix: it asks for a password, keeps it for later modules, and accepts "right".
#include <security/pam_ext.h>
#include <security/pam_modules.h>
#include <string.h>

int pam_sm_authenticate(pam_handle_t *pam, int flags, int count, const char **words) {
    const char *password = NULL;
    (void)flags, (void)count, (void)words;
    if (pam_get_authtok(pam, PAM_AUTHTOK, &password, NULL) != PAM_SUCCESS || !password) return PAM_CONV_ERR;
    return strcmp(password, "right") == 0 ? PAM_SUCCESS : PAM_AUTH_ERR;
}

int pam_sm_setcred(pam_handle_t *pam, int flags, int count, const char **words) {
    (void)pam, (void)flags, (void)count, (void)words;
    return PAM_SUCCESS;
}
