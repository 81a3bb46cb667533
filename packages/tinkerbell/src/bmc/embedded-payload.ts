const isContainer = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/**
 * Puts a request into a JSON document of a user, at a path such as `data.request`; numbers are places in lists, `~1` is a dot in a name, and
 * `~0` a tilde. Objects that are missing on the way are created. Returns why it cannot be done as `problem`.
 */
export const embeddedPayload = (
  request: object,
  {
    customRequestPayload: text = "",
    dotPath = "",
  }: { readonly customRequestPayload?: string; readonly dotPath?: string },
): { readonly body: string } | { readonly problem: string } => {
  if (text === "" || dotPath === "") return { body: JSON.stringify(request) };
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    return { problem: `customRequestPayload: not valid JSON (${(error as Error).message}); correct it` };
  }
  if (!isContainer(document)) return { problem: "customRequestPayload: must be a JSON object or array" };
  const names = dotPath.split(".").map((name) => name.replaceAll("~1", ".").replaceAll("~0", "~"));
  let place = document;
  for (const [index, name] of names.entries()) {
    const known = !Array.isArray(place) || (/^\d+$/.test(name) && Number(name) < place.length);
    if (!known || name === "__proto__") {
      return { problem: `dotPath: customRequestPayload has no place ${JSON.stringify(name)}; correct it` };
    }
    if (index === names.length - 1) {
      place[name] = request;
      break;
    }
    const next = Object.hasOwn(place, name) ? place[name] : undefined;
    if (next !== undefined && !isContainer(next)) {
      return { problem: `dotPath: ${JSON.stringify(name)} in customRequestPayload is neither an object nor an array` };
    }
    place = next ?? (place[name] = {} as Record<string, unknown>);
  }
  return { body: JSON.stringify(document) };
};
