import type { ComponentRequests } from "./component-requests.ts";
import type { Handlers } from "./elemental-api.ts";
import type { HostRequests } from "./host-requests.ts";

/** What is served, by method and what the path names. */
export const apiHandlers = (hosts: HostRequests, components: ComponentRequests): Handlers => ({
  GET: (request, place) => hosts.registration(request, place),
  "POST hosts": (request, place) => hosts.register(request, place),
  "PATCH host": (request, place) => hosts.report(request, place),
  "DELETE host": (request, place) => hosts.remove(request, place),
  "GET bootstrap": (request, place) => hosts.bootstrap(request, place),
  "GET components": (request, place) => components.describe(request, place),
  "GET components/blob": (request, place) => components.blob(request, place),
});
