import { type JsonObject, sameJson } from "@capstan/schema";
import type { ElementalRegistration } from "../api/elemental-registration.v1beta1.ts";
import { elementalError } from "../errors.ts";
import type { Requests } from "../http/requests.ts";

const maxBytes = 2 ** 20;

/** Where agents' configurations are put, so that a server can make boot media of them. */
export interface BootMediaStore {
  /** Returns whether what is there is what the registration says. Throws `elemental.unreachable`, `elemental.boot_media_refused`. */
  holds(registration: ElementalRegistration, signal: AbortSignal): Promise<boolean>;
  /** Puts it there. Throws as `holds`. */
  put(registration: ElementalRegistration, signal: AbortSignal): Promise<void>;
}

/** Returns the agent configuration for a boot medium, as JSON, which is also YAML. */
const agentConfig = ({ spec }: ElementalRegistration): JsonObject => {
  const { agent, registration } = spec?.config?.elemental ?? {};
  const { caCert = "", token = "", uri = "" } = registration ?? {};
  return { registration: { uri, caCert, token }, ...(agent !== undefined && { agent }) };
};

const refusedBy = (url: string, status: number): Error =>
  elementalError({
    code: "elemental.boot_media_refused",
    reason: "BootMediaRefused",
    message: `${url} answers ${status} to the agent's configuration; correct ELEMENTAL_BOOT_MEDIA_URL, or the server there`,
    retry: { kind: "backoff" },
  });

/** Below a URL: `<url>/<namespace>/<name>`, read with GET and written with PUT. */
export const bootMediaAt = (url: string, requests: Requests): BootMediaStore => {
  const placeOf = ({ metadata: { name, namespace } }: ElementalRegistration): string =>
    `${url.replace(/\/$/, "")}/${namespace}/${name}`;
  return {
    holds: async (registration, signal) => {
      const place = placeOf(registration);
      const answer = await requests.send({ url: place, signal });
      const bytes = await answer.bytes(maxBytes);
      if (answer.status === 404) return false;
      if (answer.status !== 200) throw refusedBy(place, answer.status);
      return sameJson(parsed(bytes), agentConfig(registration));
    },
    put: async (registration, signal) => {
      const place = placeOf(registration);
      const headers = { "content-type": "application/json" };
      const body = JSON.stringify(agentConfig(registration));
      const answer = await requests.send({ method: "PUT", url: place, headers, body, signal });
      await answer.discard();
      if (answer.status >= 300) throw refusedBy(place, answer.status);
    },
  };
};

const parsed = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return undefined;
  }
};
