#include "mapf/plan_io.h"

#include "base/file.h"
#include "mapf/plan_json.h"

dl_status dl_plan_parse(const dl_instance *instance, const char *name, const char *data, size_t size, dl_plan **out,
                        dl_error *err)
{
    (void)instance;
    return dl_plan_json_read(name, data, size, out, err);
}

dl_status dl_plan_read(const dl_instance *instance, const char *path, dl_plan **out, dl_error *err)
{
    *out = NULL;
    dl_file file;
    DL_TRY(dl_file_read(path, &file, err));
    dl_status status = dl_plan_parse(instance, path, file.data, file.size, out, err);
    dl_file_free(&file);
    return status;
}

dl_status dl_plan_write(const dl_instance *instance, const dl_plan *plan, difflns_format format, const char *path,
                        dl_error *err)
{
    (void)format;
    dl_output out;
    DL_TRY(dl_output_open(&out, path, err));
    dl_plan_json_write(out.stream, instance, plan);
    return dl_output_commit(&out, err);
}
