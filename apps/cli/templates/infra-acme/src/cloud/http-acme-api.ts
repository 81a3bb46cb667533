import type { Secret } from "@capstan/contract";
import { httpService } from "@capstan/kit";
import type { AcmeProviderOptions } from "../options.ts";
import type { AcmeApi, LoadBalancer, Server } from "./acme-api.ts";
import { acmeErrors } from "./errors.ts";

const defaultEndpoint = "https://api.acme.example";

/** Acme's API over HTTP, as one customer. */
export const httpAcmeApi = (
  options: Omit<AcmeProviderOptions, "token"> & { readonly token: Secret<string> },
): AcmeApi => {
  const http = httpService({
    ...options,
    name: "acme",
    endpoint: options.endpoint ?? defaultEndpoint,
    errors: acmeErrors,
    limit: { perSecond: 20, burst: 40 },
  });
  return {
    servers: (call) => http.get<readonly Server[]>("/servers", call),
    createServer: (server, call) => http.post<Server>("/servers", { body: server, ...call }),
    label: async (id, labels, call) => {
      await http.put(`/servers/${id}/labels`, { body: { labels }, ...call });
    },
    deleteServer: async (id, call) => {
      await http.delete(`/servers/${id}`, { missing: "ok", ...call });
    },
    loadBalancers: (call) => http.get<readonly LoadBalancer[]>("/load-balancers", call),
    createLoadBalancer: (balancer, call) => http.post<LoadBalancer>("/load-balancers", { body: balancer, ...call }),
    balance: async (id, servers, call) => {
      await http.put(`/load-balancers/${id}/servers`, { body: { servers }, ...call });
    },
    deleteLoadBalancer: async (id, call) => {
      await http.delete(`/load-balancers/${id}`, { missing: "ok", ...call });
    },
  };
};
