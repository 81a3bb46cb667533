import { CapstanError } from "@capstan/contract";
import nunjucks from "nunjucks";

/** The first line that makes cloud-init render the rest as a template. */
const header = /^## template: *jinja *\r?\n/i;

export const hasJinjaHeader = (document: string): boolean => header.test(document);

const environment = new nunjucks.Environment(null, { autoescape: false, throwOnUndefined: false, trimBlocks: true });

/** cloud-init prints a variable it does not know as a visible marker instead of failing. */
const missing = (name: string): string => `CI_MISSING_JINJA_VAR/${name}`;

/**
 * Renders a document that starts with the jinja header, with the instance data cloud-init offers (`ds.meta_data`,
 * `v1`). Throws `guest.jinja_invalid` on a syntax error, for which cloud-init drops the whole document.
 */
export const renderJinja = (document: string, metadata: Readonly<Record<string, unknown>>): string => {
  const text = document.replace(header, "");
  const names = Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name.replaceAll("-", "_"), value]));
  const metaData = withMarkers({ ...names, ...metadata });
  const v1 = withMarkers({
    local_hostname: names["local_hostname"],
    instance_id: names["instance_id"],
    region: names["region"],
  });
  try {
    return environment.renderString(text, { ds: { meta_data: metaData }, v1, ...names });
  } catch (error) {
    throw new CapstanError({
      code: "guest.jinja_invalid",
      reason: "TemplateInvalid",
      message: `the user-data is not a valid jinja template, so cloud-init ignores all of it: ${(error as Error).message}`,
      retry: { kind: "never" },
      cause: error,
    });
  }
};

const withMarkers = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  new Proxy(
    { ...values },
    {
      get: (target, name) =>
        typeof name === "string" && target[name] === undefined && !(name in Object.prototype)
          ? missing(name)
          : Reflect.get(target, name),
    },
  );
