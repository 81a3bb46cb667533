import { resourceId } from "../../resource-id.ts";
import type { IpConfiguration } from "../../network/network-interfaces.ts";
import { macOf } from "../../network/network-interfaces.ts";
import { withAddresses } from "../../network/private-addresses.ts";
import type { Json, StoredResource } from "../../state.ts";
import type { World } from "../../world.ts";
import type { Vm } from "../../vm.ts";
import { type CardModel, instanceType } from "./scale-set.ts";

const cardType = "Microsoft.Network/networkInterfaces";
const addressType = "Microsoft.Network/publicIPAddresses";

/** Types of the cards of instances, and of their public addresses, which have no places of their own. */
export const instanceCardType = `${instanceType}/networkInterfaces`;
export const instanceAddressType = `${instanceCardType}/ipConfigurations/publicIPAddresses`;

type Common = Pick<StoredResource, "group" | "location" | "guid" | "created" | "tags" | "revision" | "state">;

const common = ({ group, location }: StoredResource<Vm>, world: World): Common => ({
  group,
  location,
  guid: world.newUuid(),
  created: world.clock.now(),
  tags: undefined,
  revision: 1,
  state: "Succeeded",
});

/** Where a card or an address is: below its instance, or with a name of its own beside a machine of its own. */
const placed = (
  machine: StoredResource<Vm>,
  {
    type,
    innerType,
    name,
    below,
  }: { readonly type: string; readonly innerType: string; readonly name: string; readonly below: string },
  { subscriptionId }: World,
): Pick<StoredResource, "id" | "type" | "name"> => {
  if (machine.type === instanceType) return { id: `${below}/${name}`, type: innerType, name };
  const own = `${name}-${machine.name.split("_").at(-1) ?? ""}`;
  return { id: resourceId(subscriptionId, machine.group, type, [own]), type, name: own };
};

const makeAddress = (
  machine: StoredResource<Vm>,
  below: string,
  { name, properties = {}, sku = {} }: { readonly name: string; readonly properties?: Json; readonly sku?: Json },
  world: World,
): { readonly id: string } => {
  const place = placed(machine, { type: addressType, innerType: instanceAddressType, name, below }, world);
  world.state.resources.push({
    ...place,
    ...common(machine, world),
    outer: { sku: { name: "Standard", tier: "Regional", ...sku } },
    properties: {
      publicIPAddressVersion: "IPv4",
      idleTimeoutInMinutes: 4,
      deleteOption: "Delete",
      ...properties,
      publicIPAllocationMethod: "Static",
      ipAddress: world.newAddress(),
    },
  });
  return { id: place.id };
};

const makeCard = (
  machine: StoredResource<Vm>,
  model: CardModel,
  world: World,
): { readonly id: string; readonly properties: Json } => {
  const below = `${machine.id}/networkInterfaces`;
  const place = placed(machine, { type: cardType, innerType: instanceCardType, name: model.name, below }, world);
  const { ipConfigurations, primary = true, deleteOption: _, ...properties } = model.properties;
  const wanted = ipConfigurations.map(({ name, properties: { publicIPAddressConfiguration, ...rest } }, index) => ({
    name,
    properties: {
      primary: index === 0,
      ...rest,
      privateIPAllocationMethod: "Dynamic",
      ...(publicIPAddressConfiguration === undefined
        ? {}
        : {
            publicIPAddress: makeAddress(
              machine,
              `${place.id}/ipConfigurations/${name}/publicIPAddresses`,
              publicIPAddressConfiguration,
              world,
            ),
          }),
    },
  })) as unknown as readonly IpConfiguration[];
  world.state.resources.push({
    ...place,
    ...common(machine, world),
    outer: {},
    properties: {
      ...properties,
      ipConfigurations: withAddresses(place.id, wanted, [], world),
      macAddress: macOf(world),
    },
  });
  return { id: place.id, properties: { primary, deleteOption: "Delete" } };
};

/** Makes the network cards of a new instance; how its machine names them. Throws a refusal where its subnet is full. */
export const makeCards = (
  machine: StoredResource<Vm>,
  models: readonly CardModel[],
  world: World,
): NonNullable<Vm["networkProfile"]["networkInterfaces"]> => models.map((model) => makeCard(machine, model, world));
