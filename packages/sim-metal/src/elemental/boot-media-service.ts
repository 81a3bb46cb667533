import { apiService, json, notFound, type Service, reply, routing } from "@capstan/simulation";
import type { World } from "../world.ts";
import { bootMediaPath, type BootMedia } from "./boot-media.ts";

interface MediaWorld {
  readonly media: BootMedia;
}

const route = routing<MediaWorld>();
const path = `${bootMediaPath}/:namespace/:registration`;

const routes = [
  route({
    method: "GET",
    path,
    handle: ({ params: { namespace, registration } }, { media }) => {
      const config = media.get(`${namespace}/${registration}`);
      if (config === undefined) throw notFound("there is no medium of this registration");
      return JSON.parse(config) as unknown;
    },
  }),
  route({
    method: "PUT",
    path,
    body: json,
    handle: ({ body, params: { namespace, registration } }, { media }) => {
      media.put(`${namespace}/${registration}`, JSON.stringify(body));
      return reply(204);
    },
  }),
];

/** Makes boot media of what is put here. */
export const bootMediaService = (media: BootMedia, { rack }: World): Service =>
  apiService<MediaWorld>({
    cloud: rack,
    world: { media },
    owns: ({ path: asked }) => asked.startsWith(`${bootMediaPath}/`),
    routes,
    secrets: ["token"],
    wordRefusal: ({ message, field }) => ({ error: { message, field } }),
  });
