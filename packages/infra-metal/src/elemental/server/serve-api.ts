import type { ControllerV1 } from "@capstan/contract/v1";
import { SecretResource } from "@capstan/contract/wire";
import { permission } from "@capstan/kit";
import type { Manager } from "@capstan/runtime";
import { certificateFiles, secretCertificate } from "@capstan/runtime/webhook";
import { ElementalHost } from "../api/elemental-host.v1beta1.ts";
import { ElementalRegistration } from "../api/elemental-registration.v1beta1.ts";
import { BundleStore } from "../bundle/bundle-store.ts";
import { httpRequests } from "../http/requests.ts";
import type { ElementalOptions } from "../options.ts";
import { Callers } from "./callers.ts";
import { ComponentRequests } from "./component-requests.ts";
import { defaultHostLimit } from "../registration/registered-hosts.ts";
import { registrationUri } from "../registration/registration-uri.ts";
import { ElementalApi, type Handlers } from "./elemental-api.ts";
import { HostRequests } from "./host-requests.ts";

/** Returns the handlers of the API, by method and part of the path. */
const apiHandlers = (hosts: HostRequests, components: ComponentRequests): Handlers => ({
  GET: (request, place) => hosts.registration(request, place),
  "POST hosts": (request, place) => hosts.register(request, place),
  "PATCH host": (request, place) => hosts.report(request, place),
  "DELETE host": (request, place) => hosts.remove(request, place),
  "GET bootstrap": (request, place) => hosts.bootstrap(request, place),
  "GET components": (request, place) => components.describe(request, place),
  "GET components/blob": (request, place) => components.blob(request, place),
});

const defaultPort = 9090;
/** Where administrators alone may write. */
const defaultSecret = { namespace: "kube-system", name: "capstan-elemental-api" };

/** Names and addresses in the API's own certificate. */
const hostsOf = (endpoint: string): readonly string[] => [
  new URL(`https://${endpoint}`).hostname.replace(/^\[|\]$/g, ""),
];

type Surroundings = Pick<Manager, "client" | "clock">;

/** The certificate of the API and its authority. */
export const apiCertificate = (
  { certificateFiles: files, certificateSecret = defaultSecret, endpoint = "localhost" }: ElementalOptions,
  { client, clock }: Surroundings,
) => {
  if (files !== undefined) return { serving: certificateFiles(files), authority: async () => undefined };
  const own = secretCertificate({ client, clock, secret: certificateSecret, hosts: hostsOf(endpoint) });
  return { serving: async () => (await own()).serving, authority: async () => (await own()).caBundle };
};

/** Permissions that the Elemental API needs at the management API. */
const permissions = [
  permission(ElementalRegistration, ["get"]),
  permission(ElementalHost, ["get", "list", "create", "patch", "delete"]),
  permission(ElementalHost, ["patch"], { subresource: "status" }),
  permission(SecretResource, ["get"], {
    rarely: { create: "the certificate of the Elemental API", update: "a certificate that runs out" },
  }),
];

/** The Elemental API, served as long as the manager runs, on every replica; nothing where there is no endpoint. */
export const elementalApi = (options: ElementalOptions): ControllerV1 => ({
  name: "elemental-api",
  permissions: { own: permissions },
  attach: (manager: Manager) => {
    const { endpoint, listen = { port: defaultPort }, protocol = "https", tls = protocol === "https" } = options;
    const { hostLimit = defaultHostLimit } = options;
    if (endpoint === undefined) return;
    const { client, clock, log } = manager;
    const requests = httpRequests({ authority: options.registryAuthority, trustsPublic: true });
    let bundles: BundleStore | undefined;
    const api = new ElementalApi({
      listen,
      clock,
      log: log.child({ component: "elemental-api" }),
      ...(tls ? { certificate: apiCertificate(options, manager).serving } : {}),
      handlers: (signal) => {
        const callers = new Callers({ client, clock, signal, uriOf: (place) => registrationUri(place, options) });
        bundles = new BundleStore({ requests, folder: options.bundleFolder, signal });
        const common = { client, callers, signal };
        return apiHandlers(
          new HostRequests({ ...common, clock, hostLimit }),
          new ComponentRequests({ ...common, bundles }),
        );
      },
    });
    manager.addRunnable({
      name: api.name,
      started: () => api.started(),
      run: async (running) => {
        try {
          await api.run(running);
        } finally {
          await bundles?.close();
          await requests.close();
        }
      },
    });
  },
});
