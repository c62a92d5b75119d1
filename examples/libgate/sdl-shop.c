// A game's shop, with SDL: disabled in child mode, and open in parent mode. A click on the disabled shop asks for the
// gated action shop.open; after the right answer the shop stays open. Escape ends the program.
#include <SDL.h>
#include <gate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_bought_for; // whether the gate was opened once
static bool is_asking;

static bool is_open(gate *gate) {
    return is_bought_for || gate_get_mode(gate) == GATE_MODE_PARENT;
}

static void decided(gate *gate, const gate_error *error, void *userdata) {
    (void)gate, (void)userdata;
    is_asking = false;
    is_bought_for = error == NULL;
    if (error) SDL_Log("the shop stays closed: %s", error->message);
}

static void ask(gate *gate) {
    if (is_asking || is_open(gate)) return;
    is_asking = gate_authorize(gate, "shop.open", "The shop of the game", 0, decided, NULL, NULL) == 0;
}

static void draw(SDL_Renderer *renderer, bool open) {
    static const SDL_Rect shop = {40, 40, 240, 160};
    static int was_open = -1;
    SDL_SetRenderDrawColor(renderer, 24, 24, 32, 255);
    SDL_RenderClear(renderer);
    if (open) SDL_SetRenderDrawColor(renderer, 240, 180, 40, 255);
    else SDL_SetRenderDrawColor(renderer, 90, 90, 90, 255);
    SDL_RenderFillRect(renderer, &shop);
    SDL_RenderPresent(renderer);
    if (was_open != open) printf("the shop is %s\n", open ? "open" : "grey");
    fflush(stdout);
    was_open = open;
}

int main(int count, char **words) {
    gate *gate;
    SDL_Window *window;
    SDL_Renderer *renderer;
    if (gate_new(&gate) < 0) return 1;
    gate_set_program(gate, "sdl-shop");
    if (getenv("SERVER_UID")) gate_set_server_uid(gate, (uid_t)atoi(getenv("SERVER_UID"))); // for a private gated
    gate_watch(gate, GATE_TOPIC_MODE, NULL, NULL); // the mode is read for each picture
    if (SDL_Init(SDL_INIT_VIDEO) != 0 || SDL_CreateWindowAndRenderer(320, 240, 0, &window, &renderer) != 0) {
        fprintf(stderr, "sdl-shop: %s\n", SDL_GetError());
        return 1;
    }
    if (count > 1 && strcmp(words[1], "--click") == 0) ask(gate); // for tests without a mouse
    for (bool is_running = true; is_running; SDL_Delay(16)) {
        // A game draws all the time, so it needs neither the file descriptor nor the timeout.
        while (gate_process(gate) > 0) continue;
        for (SDL_Event event; SDL_PollEvent(&event);) {
            if (event.type == SDL_MOUSEBUTTONDOWN) ask(gate);
            if (event.type == SDL_QUIT || (event.type == SDL_KEYDOWN && event.key.keysym.sym == SDLK_ESCAPE)) is_running = false;
        }
        draw(renderer, is_open(gate));
    }
    gate_free(gate);
    SDL_Quit();
    return 0;
}
