import type { ElementalOptions } from "../options.ts";

/** The path of everything that hosts of a registration ask for. */
export const registrationPath = (namespace: string, name: string): string =>
  `/elemental/v1/namespaces/${namespace}/registrations/${name}`;

/** Where hosts register; `undefined` when the API is not served. */
export const registrationUri = (
  { namespace, name }: { readonly namespace: string; readonly name: string },
  { endpoint, protocol = "https" }: Pick<ElementalOptions, "endpoint" | "protocol">,
): string | undefined =>
  endpoint === undefined ? undefined : `${protocol}://${endpoint}${registrationPath(namespace, name)}`;
