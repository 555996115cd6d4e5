/* SVG as pixels and as PDF, by librsvg and cairo, in a module of its own that is loaded where somebody asks for such a picture: every other
   command starts without these libraries, and runs where they are not installed. svg_renderer.hpp has the other side.

   All functions return 0 where they succeed; else `message` has the reason. */
#include <cairo-pdf.h>
#include <fontconfig/fontconfig.h>
#include <librsvg/rsvg.h>
#include <stdio.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

/* One pixel of SVG is 1/96 inch, one unit of a PDF 1/72. */
static const double points_for_a_pixel = 72.0 / 96.0;

static int fail(GError* error, const char* otherwise, char* message, size_t size) {
  snprintf(message, size, "%s", error != NULL ? error->message : otherwise);
  if (error != NULL) g_error_free(error);
  return 1;
}

static RsvgHandle* load(const char* svg, size_t length, double* width, double* height, char* message,
                        size_t size) {
  GError* error = NULL;
  RsvgHandle* const handle = rsvg_handle_new_from_data((const guint8*)svg, length, &error);
  if (handle == NULL) {
    fail(error, "the SVG is not read", message, size);
    return NULL;
  }
  rsvg_handle_set_dpi(handle, 96);
  if (!rsvg_handle_get_intrinsic_size_in_pixels(handle, width, height)) {
    fail(NULL, "the SVG has no width and height", message, size);
    g_object_unref(handle);
    return NULL;
  }
  return handle;
}

static int draw(RsvgHandle* handle, cairo_surface_t* surface, double scale, double width, double height,
                char* message, size_t size) {
  GError* error = NULL;
  cairo_t* const context = cairo_create(surface);
  const RsvgRectangle all = {0, 0, width, height};
  cairo_scale(context, scale, scale);
  const gboolean drawn = rsvg_handle_render_document(handle, context, &all, &error);
  cairo_destroy(context);
  cairo_surface_flush(surface);
  if (!drawn) return fail(error, "the picture is not drawn", message, size);
  if (cairo_surface_status(surface) != CAIRO_STATUS_SUCCESS)
    return fail(NULL, cairo_status_to_string(cairo_surface_status(surface)), message, size);
  return 0;
}

/* How many pixels the picture has, at so many pixels for one of the SVG. */
EXPORT int delassus_picture_size(const char* svg, size_t length, double scale, int* width, int* height,
                                 char* message, size_t size) {
  double w = 0, h = 0;
  RsvgHandle* const handle = load(svg, length, &w, &h, message, size);
  if (handle == NULL) return 1;
  g_object_unref(handle);
  *width = (int)(w * scale + 0.5);
  *height = (int)(h * scale + 0.5);
  return 0;
}

/* Draws over `rgba`, which has width * height pixels of four bytes (words of 0xAARRGGBB, as cairo has them: colours times alpha). */
EXPORT int delassus_picture_draw(const char* svg, size_t length, int width, int height, unsigned char* pixels,
                                 char* message, size_t size) {
  double w = 0, h = 0;
  RsvgHandle* const handle = load(svg, length, &w, &h, message, size);
  if (handle == NULL) return 1;
  int result = 1;
  if (cairo_format_stride_for_width(CAIRO_FORMAT_ARGB32, width) != 4 * width) {
    fail(NULL, "rows of pixels have gaps", message, size);
  } else {
    cairo_surface_t* const surface =
        cairo_image_surface_create_for_data(pixels, CAIRO_FORMAT_ARGB32, width, height, 4 * width);
    result = draw(handle, surface, width / w, w, h, message, size);
    cairo_surface_destroy(surface);
  }
  g_object_unref(handle);
  return result;
}

/* `write` takes bytes as they come, and returns 0 where it has them. `date`: YYYY-MM-DDThh:mm:ssZ, so that the bytes are the same each time. */
typedef int (*Write)(void* to, const unsigned char* bytes, unsigned int size);
struct Destination {
  Write write;
  void* to;
};
static cairo_status_t pass_on(void* closure, const unsigned char* bytes, unsigned int size) {
  const struct Destination* const destination = closure;
  return destination->write(destination->to, bytes, size) == 0 ? CAIRO_STATUS_SUCCESS
                                                               : CAIRO_STATUS_WRITE_ERROR;
}

EXPORT int delassus_picture_pdf(const char* svg, size_t length, const char* title, const char* date,
                                Write write, void* to, char* message, size_t size) {
  double w = 0, h = 0;
  RsvgHandle* const handle = load(svg, length, &w, &h, message, size);
  if (handle == NULL) return 1;
  struct Destination destination = {write, to};
  cairo_surface_t* const surface = cairo_pdf_surface_create_for_stream(
      pass_on, &destination, w * points_for_a_pixel, h * points_for_a_pixel);
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, title);
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "delassus");
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, date);
  int result = draw(handle, surface, points_for_a_pixel, w, h, message, size);
  cairo_surface_finish(surface);
  if (result == 0 && cairo_surface_status(surface) != CAIRO_STATUS_SUCCESS)
    result = fail(NULL, cairo_status_to_string(cairo_surface_status(surface)), message, size);
  cairo_surface_destroy(surface);
  g_object_unref(handle);
  return result;
}

/* How many fonts there are to write with: without one, text would be missing without a word. */
EXPORT int delassus_picture_fonts(void) {
  FcFontSet* const fonts = FcInit() ? FcConfigGetFonts(NULL, FcSetSystem) : NULL;
  return fonts == NULL ? 0 : fonts->nfont;
}
