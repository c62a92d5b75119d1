// Draws the report as SVG, without a library: rectangles, lines and text on a background of its own, so that it is
// legible in light and dark. The layout assumes a font that is wider than most.
#include <math.h>
#include <string.h>

#include "report.h"
#include "wire.h"

enum { WIDTH = 900, MARGIN = 24, LINE_HEIGHT = 17, MAXIMUM_LINES = 4, LINE_BYTES = 256 };
#define GROUND "#ffffff"
#define INK "#1f2328"
#define FAINT "#59636e"
#define GRID "#d1d9e0"
#define CURVE "#0969da"
// The colours of results that meet their targets, of those that don't, and of their bars.
#define GOOD "#1a7f37"
#define GOOD_BAR "#aceebb"
#define BAD "#bc4c00"
#define BAD_BAR "#ffd8b5"

static FILE *begin(const char *directory, const char *name, double height, const char *title) {
    char path[512];
    if ((size_t)snprintf(path, sizeof path, "%s/%s", directory, name) >= sizeof path) fail("%s is too long", directory);
    FILE *file = fopen(path, "we");
    if (!file) fail_system("can't write %s", path);
    fprintf(
        file,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" viewBox=\"0 0 %d %.0f\" "
        "font-family=\"system-ui, sans-serif\" font-size=\"13\" fill=\"" INK "\" stroke=\"none\">\n<title>%s</title>\n"
        "<rect width=\"%d\" height=\"%.0f\" rx=\"6\" fill=\"" GROUND "\"/>\n",
        WIDTH, height, WIDTH, height, title, WIDTH, height);
    return file;
}

static void end(FILE *file) {
    fputs("</svg>\n", file);
    if (fclose(file) != 0) fail_system("can't write a plot");
}

static void put_escaped(FILE *file, const char *text) {
    for (; *text; text++) {
        if (*text == '&') fputs("&amp;", file);
        else if (*text == '<') fputs("&lt;", file);
        else fputc(*text, file);
    }
}

// `attributes` begins with a space, or is empty.
static void put_text(FILE *file, double x, double y, const char *attributes, const char *text) {
    fprintf(file, "<text x=\"%.1f\" y=\"%.1f\"%s>", x, y, attributes);
    put_escaped(file, text);
    fputs("</text>\n", file);
}

// Text beside or across a line, with an outline in the colour of the background.
static void put_rimmed(FILE *file, double x, double y, const char *text) {
    put_text(
        file, x, y,
        " text-anchor=\"middle\" font-size=\"12\" stroke=\"" GROUND "\" stroke-width=\"4\" stroke-linejoin=\"round\"",
        text);
    put_text(file, x, y, " text-anchor=\"middle\" font-size=\"12\"", text);
}

static void put_line(FILE *file, double x1, double y1, double x2, double y2, const char *colour, double width) {
    fprintf(
        file, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"%.1f\"/>\n", x1, y1,
        x2, y2, colour, width);
}

// Breaks a text into lines of at most this many characters, without Markdown's marks. Returns how many lines there are.
static int wrap(const char *text, int characters, char lines[MAXIMUM_LINES][LINE_BYTES]) {
    int line = 0, used = 0;
    size_t bytes = 0;
    while (*text) {
        size_t word = 0;
        int width = 0;
        for (; text[word] && text[word] != ' '; word++) {
            // The first byte of a character.
            if ((text[word] & 0xc0) != 0x80 && text[word] != '`') width++;
        }
        if (used > 0 && used + 1 + width > characters) {
            if (line == MAXIMUM_LINES - 1) break;
            lines[line++][bytes] = '\0';
            bytes = 0;
            used = 0;
        }
        if (bytes + word + 2 > LINE_BYTES) break;
        if (used > 0) {
            lines[line][bytes++] = ' ';
            used++;
        }
        for (size_t i = 0; i < word; i++) {
            if (text[i] != '`') lines[line][bytes++] = text[i];
        }
        used += width;
        text += word + strspn(text + word, " ");
    }
    lines[line][bytes] = '\0';
    if (*text) fail("too long for a plot, from here on: %s", text);
    return line + 1;
}

// MARK: figures

enum { LABEL_CHARACTERS = 82, TRACK_HEIGHT = 30 };

// How many times better than its target a figure is.
static double margin_of(const struct line *line, double figure) {
    return line->bound == AT_MOST ? line->target / figure : figure / line->target;
}

struct scale {
    // The logarithms to base 10 of the scale's ends, and their positions.
    double low, high, left, right;
};

static double place_on(const struct scale *scale, double value) {
    return scale->left + (log10(value) - scale->low) / (scale->high - scale->low) * (scale->right - scale->left);
}

// The least and the largest value that is drawn, with the target in between, and some room at both ends.
static struct scale scale_of(const struct report *report) {
    struct scale scale = {.low = -0.35, .high = 0.35, .left = MARGIN, .right = WIDTH - MARGIN};
    for (size_t i = 0; i < report->entry_count; i++) {
        const struct entry *entry = &report->entries[i];
        if (entry->line.bound == NO_TARGET) continue;
        double margin = log10(margin_of(&entry->line, entry->figure)), noise = log10(1 + entry->noise);
        scale.low = fmin(scale.low, margin - noise - 0.05);
        scale.high = fmax(scale.high, margin + noise + 0.05);
    }
    return scale;
}

static void put_ticks(FILE *file, const struct scale *scale, double y, double height, bool has_texts) {
    static const double ticks[] = {0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100};
    for (size_t i = 0; i < sizeof ticks / sizeof *ticks; i++) {
        if (log10(ticks[i]) < scale->low || log10(ticks[i]) > scale->high) continue;
        double x = place_on(scale, ticks[i]);
        bool is_target = ticks[i] == 1;
        put_line(file, x, y, x, y + height, is_target ? INK : GRID, is_target ? 2 : 1);
        if (!has_texts) continue;
        char text[TEXT_BYTES];
        if (is_target) strcpy(text, "target");
        else if (ticks[i] < 1) snprintf(text, sizeof text, "1/%g", 1 / ticks[i]);
        else snprintf(text, sizeof text, "%g ×", ticks[i]);
        put_text(file, x, y - 5, " text-anchor=\"middle\" font-size=\"12\" fill=\"" FAINT "\"", text);
    }
}

static void put_result(FILE *file, const struct scale *scale, const struct entry *entry, double y) {
    double figure = margin_of(&entry->line, entry->figure), x = place_on(scale, figure), target = place_on(scale, 1);
    const char *colour = entry->is_met ? GOOD : BAD;
    double middle = y + TRACK_HEIGHT / 2.0 - 4;
    put_line(file, scale->left, middle, scale->right, middle, GRID, 1);
    put_ticks(file, scale, middle - 6, 12, false);
    fprintf(
        file, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"6\" fill=\"%s\"/>\n", fmin(x, target),
        middle - 3, fabs(x - target), entry->is_met ? GOOD_BAR : BAD_BAR);
    double low = place_on(scale, figure / (1 + entry->noise)), high = place_on(scale, figure * (1 + entry->noise));
    put_line(file, low, middle, high, middle, colour, 2);
    put_line(file, low, middle - 4, low, middle + 4, colour, 1.5);
    put_line(file, high, middle - 4, high, middle + 4, colour, 1.5);
    // Not only by colour: a disc if the target is met, a diamond if it is not.
    if (entry->is_met) {
        fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\" fill=\"%s\"/>\n", x, middle, colour);
    } else {
        fprintf(
            file, "<path d=\"M%.1f %.1fl6 6l-6 6l-6 -6z\" fill=\"%s\" stroke=\"" GROUND "\"/>\n", x, middle - 6, colour);
    }
}

// What was measured, with the peer if the text does not name it.
static int wrap_label(const struct line *line, char lines[MAXIMUM_LINES][LINE_BYTES]) {
    char label[2 * LINE_BYTES];
    snprintf(label, sizeof label, line->peer && !strstr(line->what, "against") ? "%s (%s)" : "%s", line->what, line->peer);
    return wrap(label, LABEL_CHARACTERS, lines);
}

void plot_figures(const struct report *report, const char *directory) {
    char lines[MAXIMUM_LINES][LINE_BYTES];
    double head = 92, height = head;
    for (size_t i = 0; i < report->entry_count; i++) {
        const struct line *line = &report->entries[i].line;
        if (line->bound != NO_TARGET) height += wrap_label(line, lines) * LINE_HEIGHT + TRACK_HEIGHT;
    }
    struct scale scale = scale_of(report);
    FILE *file = begin(directory, "benchmarks.svg", height + MARGIN / 2.0, "Each result beside its target");
    put_text(file, MARGIN, 32, " font-size=\"17\" font-weight=\"600\"", "Each result beside its target");
    put_text(
        file, MARGIN, 52, " fill=\"" FAINT "\"",
        "How many times better (to the right) or worse (to the left) than its target; the scale is logarithmic.");
    put_ticks(file, &scale, 78, 6, true);
    double y = head;
    for (size_t i = 0; i < report->entry_count; i++) {
        const struct entry *entry = &report->entries[i];
        if (entry->line.bound == NO_TARGET) continue;
        char figure[TEXT_BYTES], target[TEXT_BYTES], text[3 * TEXT_BYTES];
        int count = wrap_label(&entry->line, lines);
        for (int j = 0; j < count; j++) put_text(file, MARGIN, y + 13 + j * LINE_HEIGHT, "", lines[j]);
        snprintf(
            text, sizeof text, "%s, %s", figure_text(figure, &entry->line, entry->figure),
            target_text(target, &entry->line));
        put_text(
            file, WIDTH - MARGIN, y + 13,
            entry->is_met ? " text-anchor=\"end\" font-weight=\"600\" fill=\"" GOOD "\""
                          : " text-anchor=\"end\" font-weight=\"600\" fill=\"" BAD "\"",
            text);
        y += count * LINE_HEIGHT;
        put_result(file, &scale, entry, y);
        y += TRACK_HEIGHT;
    }
    end(file);
}

// MARK: growth

enum { COLUMNS = 3, PANEL_WIDTH = (WIDTH - MARGIN) / COLUMNS, PANEL_HEIGHT = 180, TITLE_CHARACTERS = 38, HEADING_HEIGHT = 34 };

static void put_panel(FILE *file, const struct growth *growth, double x, double y) {
    char lines[MAXIMUM_LINES][LINE_BYTES], text[TEXT_BYTES];
    int count = wrap(growth->what, TITLE_CHARACTERS, lines);
    for (int i = 0; i < count; i++)
        put_text(file, x, y + 13 + i * LINE_HEIGHT, " font-size=\"12\" font-weight=\"600\"", lines[i]);

    double least = INFINITY, largest = 0;
    for (size_t i = 0; i < growth->count; i++) {
        least = fmin(least, growth->values[i]);
        largest = fmax(largest, growth->values[i]);
    }
    // The scale covers at least a factor of ten, so that flat curves look flat.
    double middle = log10(least * largest) / 2, half = fmax(0.5, log10(largest / least) / 2);
    double top = y + (count > 2 ? count : 2) * LINE_HEIGHT + 26, bottom = y + PANEL_HEIGHT - 48;
    double left = x + 26, right = x + PANEL_WIDTH - MARGIN - 34;
    struct scale across = {log10(growth->sizes[0]), log10(growth->sizes[growth->count - 1]), left, right};
    struct scale up = {middle - half, middle + half, bottom, top};
    put_line(file, x, bottom + 12, x + PANEL_WIDTH - MARGIN, bottom + 12, GRID, 1);
    for (size_t i = 0; i < growth->count; i++) {
        double at = place_on(&across, growth->sizes[i]);
        put_line(file, at, bottom + 12, at, bottom + 16, FAINT, 1);
        put_text(
            file, at, bottom + 29, " text-anchor=\"middle\" font-size=\"11\" fill=\"" FAINT "\"",
            value_text(text, growth->sizes[i], ""));
    }
    for (size_t i = 1; i < growth->count; i++) {
        put_line(
            file, place_on(&across, growth->sizes[i - 1]), place_on(&up, growth->values[i - 1]),
            place_on(&across, growth->sizes[i]), place_on(&up, growth->values[i]), CURVE, 2);
    }
    for (size_t i = 0; i < growth->count; i++) {
        double at = place_on(&across, growth->sizes[i]), height = place_on(&up, growth->values[i]);
        fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"" CURVE "\"/>\n", at, height);
        put_rimmed(file, at, height - 9, value_text(text, growth->values[i], growth->unit));
    }
}

void plot_growth(const struct report *report, const char *directory) {
    // Panels are arranged in rows. Panels about another thing that grows begin a new row, with a heading.
    double places[MAXIMUM_GROWTHS][2], y = 62;
    int column = 0;
    for (size_t i = 0; i < report->growth_count; i++) {
        bool is_first = i == 0 || strcmp(report->growths[i].of, report->growths[i - 1].of) != 0;
        if (is_first) {
            y += (column > 0 ? PANEL_HEIGHT : 0) + HEADING_HEIGHT;
            column = 0;
        } else if (column == COLUMNS) {
            y += PANEL_HEIGHT;
            column = 0;
        }
        places[i][0] = MARGIN + column * PANEL_WIDTH;
        places[i][1] = y;
        column++;
    }
    double height = y + (column > 0 ? PANEL_HEIGHT : 0);
    FILE *file = begin(directory, "growth.svg", height, "What grows with what");
    put_text(file, MARGIN, 32, " font-size=\"17\" font-weight=\"600\"", "What grows with what");
    put_text(
        file, MARGIN, 52, " fill=\"" FAINT "\"",
        "Both axes are logarithmic. From bottom to top it is at least ten times, so that what does not grow looks flat.");
    for (size_t i = 0; i < report->growth_count; i++) {
        const struct growth *growth = &report->growths[i];
        if (i == 0 || strcmp(growth->of, report->growths[i - 1].of) != 0) {
            char heading[LINE_BYTES];
            snprintf(heading, sizeof heading, "With more %s", growth->of);
            put_line(file, MARGIN, places[i][1] - 28, WIDTH - MARGIN, places[i][1] - 28, GRID, 1);
            put_text(file, MARGIN, places[i][1] - 10, " font-size=\"14\" font-weight=\"600\"", heading);
        }
        put_panel(file, growth, places[i][0], places[i][1]);
    }
    end(file);
}
