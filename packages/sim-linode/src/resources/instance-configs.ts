import { integer, invalid, list, object, type Route, type RouteRequest, type ValueOf } from "@capstan/simulation";
import { given } from "../api/given.ts";
import { named, resource } from "../api/resource.ts";
import { route } from "../api/route.ts";
import { linodeSubject, note, type Subject } from "../events.ts";
import type { StoredConfig, StoredInstance } from "../state.ts";
import type { World } from "../world.ts";
import { newConfig } from "./instance-create.ts";
import { checkKernel, findInstance } from "./instance-rules.ts";
import {
  configInterfaceShape,
  createConfigShape,
  updateConfigInterfaceShape,
  updateConfigShape,
} from "./instance-shapes.ts";
import { configInterfaceView, configView } from "./instance-views.ts";
import { checkDevices } from "./volume-places.ts";
import { changedConfigInterface, checkConfigInterfaces, newConfigInterface } from "./interfaces.ts";

type Asked = Pick<RouteRequest, "params">;

const base = "linode/instances/:linode/configs";

const ownerOf = ({ params }: Asked, world: World): StoredInstance =>
  findInstance({ params: { id: params["linode"] ?? "" } }, world);

const subject = (_config: StoredConfig, world: World, request: Asked): Subject =>
  linodeSubject(ownerOf(request, world));

const configOf = (request: Asked, world: World): StoredConfig =>
  named(ownerOf(request, world).configs, request, "id", "config");

export const instanceConfigRoutes: readonly Route<World>[] = [
  ...resource({
    path: base,
    filterable: ["id", "label", "interfaces"],
    items: (request, world) => ownerOf(request, world).configs,
    view: (config, world) => configView(config, world.state),
    event: "linode_config",
    subject,
    create: {
      body: createConfigShape,
      make: (body, world, request) => {
        const config = { ...newConfig({}, world, []), label: body.label };
        change(config, body, ownerOf(request, world), world);
        return config;
      },
    },
    update: {
      body: updateConfigShape,
      change: (config, body, world, request) => change(config, body, ownerOf(request, world), world),
    },
    remove: (_config, world, request) => {
      if (ownerOf(request, world).status !== "offline") throw invalid("The Linode must be powered off");
    },
  }),
  route({
    method: "GET",
    path: `${base}/:config/interfaces`,
    handle: (request, world) => {
      const config = configOf(request, world);
      return config.interfaces.map((each) => configInterfaceView(each, config, world.state));
    },
  }),
  route({
    method: "POST",
    path: `${base}/:config/interfaces`,
    body: configInterfaceShape,
    handle: (request, world) => {
      const instance = ownerOf(request, world);
      const config = configOf(request, world);
      if (config.interfaces.length >= 3) throw invalid("A config has at most 3 interfaces");
      checkConfigInterfaces([...config.interfaces, request.body]);
      const added = newConfigInterface(request.body, instance, world, "");
      config.interfaces.push(added);
      note(world, "linode_config_update", linodeSubject(instance));
      return configInterfaceView(added, config, world.state);
    },
  }),
  route({
    method: "POST",
    path: `${base}/:config/interfaces/order`,
    body: object({ ids: list(integer) }, ["ids"]),
    handle: (request, world) => {
      const config = configOf(request, world);
      const { ids } = request.body;
      const complete = ids.length === config.interfaces.length && config.interfaces.every(({ id }) => ids.includes(id));
      if (!complete) throw invalid("ids must be those of all interfaces of the config", "ids");
      config.interfaces.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
      return {};
    },
  }),
  route({
    method: "GET",
    path: `${base}/:config/interfaces/:interface`,
    handle: (request, world) => {
      const config = configOf(request, world);
      return configInterfaceView(named(config.interfaces, request, "id", "interface"), config, world.state);
    },
  }),
  route({
    method: "PUT",
    path: `${base}/:config/interfaces/:interface`,
    body: updateConfigInterfaceShape,
    handle: (request, world) => {
      const instance = ownerOf(request, world);
      const config = configOf(request, world);
      const found = named(config.interfaces, request, "id", "interface");
      const changed = changedConfigInterface(found, request.body, instance, world);
      checkConfigInterfaces(config.interfaces.map((each) => (each === found ? changed : each)));
      Object.assign(found, changed);
      return configInterfaceView(found, config, world.state);
    },
  }),
  route({
    method: "DELETE",
    path: `${base}/:config/interfaces/:interface`,
    handle: (request, world) => {
      const config = configOf(request, world);
      const gone = named(config.interfaces, request, "id", "interface");
      config.interfaces = config.interfaces.filter((each) => each !== gone);
      return {};
    },
  }),
];

const change = (
  config: StoredConfig,
  { interfaces, helpers, devices, comments, ...plain }: ValueOf<typeof updateConfigShape>,
  instance: StoredInstance,
  world: World,
): void => {
  checkKernel(plain.kernel);
  checkDevices(devices ?? {}, instance, world.state);
  if (given(interfaces)) {
    if (instance.generation === "linode") throw invalid("The Linode uses linode interfaces", "interfaces");
    checkConfigInterfaces(interfaces);
    // Those there are give their addresses back first, so that they can be kept.
    config.interfaces = [];
    for (const [index, each] of interfaces.entries()) {
      config.interfaces.push(newConfigInterface(each, instance, world, `interfaces.${index}`));
    }
  }
  Object.assign(config, plain);
  config.comments = comments === undefined ? config.comments : (comments ?? "");
  config.helpers = { ...config.helpers, ...helpers };
  config.devices = devices === undefined ? config.devices : { ...devices };
};
