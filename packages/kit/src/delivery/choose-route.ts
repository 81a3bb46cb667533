import { CapstanError } from "@capstan/contract";
import type { BootstrapData, DeliveryPlace, DeliveryRoute } from "@capstan/contract/v1";

/** Why a route does not take some data. */
interface Refusal {
  readonly route: string;
  readonly cause: "format" | "packing" | "size" | "unavailable";
  readonly why: string;
}

/** The route that takes the data, and the data as it travels there. */
export interface Choice<Route extends DeliveryRoute> {
  readonly route: Route;
  readonly data: BootstrapData;
}

/** The quantity that the limit of a route applies to. */
export const measuredBytes = (data: BootstrapData, { measure = "raw" }: Pick<DeliveryRoute, "measure">): number => {
  if (typeof measure === "function") return measure(data);
  return measure === "base64" ? Math.ceil(data.bytes.length / 3) * 4 : data.bytes.length;
};

/** Why data is too large for a route; the limit itself is already too large. */
export const tooLarge = (
  data: BootstrapData,
  route: Pick<DeliveryRoute, "limitBytes" | "measure">,
): string | undefined => {
  if (route.limitBytes === undefined) return undefined;
  const measured = measuredBytes(data, route);
  return measured < route.limitBytes ? undefined : `${measured} bytes exceed the limit of ${route.limitBytes}`;
};

const packed = (data: BootstrapData, { pack }: DeliveryRoute): BootstrapData | undefined => {
  if (pack === undefined) return data;
  try {
    return { ...data, bytes: pack(data.bytes) };
  } catch {
    // A failing compression is not a failure of the delivery: the next route takes over.
    return undefined;
  }
};

const tryRoute = async <Route extends DeliveryRoute>(
  route: Route,
  original: BootstrapData,
  place: DeliveryPlace,
): Promise<Choice<Route> | Refusal> => {
  const { formats, name } = route;
  if (formats !== undefined && !formats.includes(original.format)) {
    return { route: name, cause: "format", why: `only ${formats.join(", ")} is supported` };
  }
  const data = packed(original, route);
  if (data === undefined) return { route: name, cause: "packing", why: "the data cannot be packed" };
  const size = tooLarge(data, route);
  if (size !== undefined) {
    return { route: name, cause: "size", why: route.pack === undefined ? size : `packed, ${size}` };
  }
  const unavailable = await route.unavailable?.(data, place);
  return unavailable === undefined ? { route, data } : { route: name, cause: "unavailable", why: unavailable };
};

/**
 * The first route that takes the data. Throws `bootstrap.too_large`, `bootstrap.format_unsupported` or `bootstrap.no_route`, naming every
 * route and why it does not.
 */
export const chooseRoute = async <Route extends DeliveryRoute>(
  routes: readonly Route[],
  data: BootstrapData,
  place: DeliveryPlace,
): Promise<Choice<Route>> => {
  const refusals: Refusal[] = [];
  for (const route of routes) {
    const answer = await tryRoute(route, data, place);
    if ("data" in answer) return answer;
    refusals.push(answer);
  }
  throw noRoute(data, refusals);
};

const noRoute = (data: BootstrapData, refusals: readonly Refusal[]): CapstanError => {
  const ways = refusals.map(({ route, why }) => `${route}: ${why}`).join("; ");
  const sizeBytes = data.bytes.length;
  const options = {
    message: `bootstrap data of ${sizeBytes} bytes in format ${data.format} cannot be delivered: ${ways}`,
    details: { sizeBytes, format: data.format, routes: refusals.map(({ route, why }) => ({ route, why })) },
  };
  if (refusals.some(({ cause }) => cause === "size")) {
    const message = `${options.message}; or reduce the size of the data`;
    const retry = { kind: "never" } as const;
    return new CapstanError({
      ...options,
      message,
      code: "bootstrap.too_large",
      reason: "BootstrapDataTooLarge",
      retry,
    });
  }
  if (refusals.length > 0 && refusals.every(({ cause }) => cause === "format")) {
    const format = { code: "bootstrap.format_unsupported", reason: "BootstrapFormatUnsupported" };
    return new CapstanError({ ...options, ...format, retry: { kind: "never" } });
  }
  return new CapstanError({ ...options, code: "bootstrap.no_route", reason: "BootstrapNoRoute" });
};
