import { invalid, repeats, required } from "@capstan/kit/admission";
import type { Cause } from "@capstan/schema";
import type { DefaultedSubnet } from "../cluster/subnet-defaults.ts";
import { beginsIn, isRange } from "./ranges.ts";

const subnetName = /^[-\w._]+$/;
const serviceName = /^Microsoft\.[a-zA-Z]{1,42}[a-zA-Z0-9]{0,42}$/;
const serviceLocation = /^(?:[a-z]{1,42}\d{0,5}|\*)$/;
const linkServiceId = /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/providers\/.+/i;
const maxDescription = 140;

type Rules = NonNullable<DefaultedSubnet["securityGroup"]["securityRules"]>;
type ServiceEndpoints = NonNullable<DefaultedSubnet["serviceEndpoints"]>;
type PrivateEndpoints = NonNullable<DefaultedSubnet["privateEndpoints"]>;

const ruleCauses = (rules: Rules, path: string): readonly Cause[] =>
  rules.flatMap(({ description, priority, source, sources }, index) => {
    const at = `${path}[${index}]`;
    const isOutside = priority !== undefined && (priority < 100 || priority > 4096);
    return [
      ...(isOutside ? [invalid(`${at}.priority`, priority, "must be from 100 to 4096")] : []),
      ...(description.length > maxDescription
        ? [invalid(`${at}.description`, description, `must have at most ${maxDescription} characters`)]
        : []),
      ...(source !== undefined && sources !== undefined
        ? [invalid(`${at}.sources`, sources, "either source or sources")]
        : []),
    ];
  });

const serviceEndpointCauses = (endpoints: ServiceEndpoints, path: string): readonly Cause[] => {
  const isRepeated = repeats(endpoints.map(({ service }) => service));
  return endpoints.flatMap(({ locations, service }, index) => {
    const at = `${path}[${index}]`;
    const wrong = locations.find((location) => !serviceLocation.test(location));
    return [
      ...(serviceName.test(service) ? [] : [invalid(`${at}.service`, service, "must be as Microsoft.Storage")]),
      ...(isRepeated[index] === true ? [invalid(`${at}.service`, service, "is a duplicate")] : []),
      ...(locations.length === 0 ? [required(`${at}.locations`, "at least one region, or *")] : []),
      ...(wrong === undefined ? [] : [invalid(`${at}.locations`, wrong, "must be a region, or *")]),
    ];
  });
};

const privateEndpointCauses = (
  endpoints: PrivateEndpoints,
  path: string,
  taken: ReadonlySet<string>,
): readonly Cause[] =>
  endpoints.flatMap(({ name, privateLinkServiceConnections: connections = [] }, index) => {
    const at = `${path}[${index}]`;
    return [
      ...(subnetName.test(name) ? [] : [invalid(`${at}.name`, name, "letters, digits, -, _ and . only")]),
      ...(taken.has(name) ? [invalid(`${at}.name`, name, "another private endpoint has the name")] : []),
      ...(connections.length === 0 ? [required(`${at}.privateLinkServiceConnections`, "at least one")] : []),
      ...connections.flatMap(({ privateLinkServiceID = "" }, which) => {
        const field = `${at}.privateLinkServiceConnections[${which}].privateLinkServiceID`;
        if (privateLinkServiceID === "") return [required(field, "the resource ID of what is connected")];
        return linkServiceId.test(privateLinkServiceID)
          ? []
          : [invalid(field, privateLinkServiceID, "must be a resource ID")];
      }),
    ];
  });

/** Validates the ranges of a subnet, which have to be in those of its network. */
export const rangeCauses = (
  { cidrBlocks }: Pick<DefaultedSubnet, "cidrBlocks">,
  ranges: readonly string[],
  path: string,
): readonly Cause[] =>
  cidrBlocks
    .filter((range) => !beginsIn(range, ranges))
    .map((range) =>
      invalid(
        `${path}.cidrBlocks`,
        range,
        isRange(range) ? "is not in a range of the vnet" : "is not a range such as 10.0.0.0/16",
      ),
    );

/** Validates the subnets of a cluster whose network has these ranges. */
export const subnetCauses = (
  subnets: readonly DefaultedSubnet[],
  ranges: readonly string[],
  path: string,
): readonly Cause[] => {
  const roles = new Set(subnets.map(({ role }) => role));
  const missing = roles.has("cluster") ? [] : (["control-plane", "node"] as const).filter((role) => !roles.has(role));
  const names = subnets.flatMap(({ privateEndpoints = [] }) => privateEndpoints.map(({ name }) => name));
  const isNameRepeated = repeats(names);
  const taken = new Set(names.filter((_, index) => isNameRepeated[index]));
  const isRepeated = repeats(subnets.map(({ name }) => name));
  return [
    ...missing.map((role) => required(path, `a subnet of the role ${role}`)),
    ...subnets.flatMap((subnet, index) => {
      const { name, privateEndpoints, securityGroup, serviceEndpoints } = subnet;
      const at = `${path}[${index}]`;
      return [
        ...(subnetName.test(name) ? [] : [invalid(`${at}.name`, name, "letters, digits, -, _ and . only")]),
        ...(isRepeated[index] === true ? [invalid(`${at}.name`, name, "another subnet has the name")] : []),
        ...rangeCauses(subnet, ranges, at),
        ...ruleCauses(securityGroup.securityRules ?? [], `${at}.securityGroup.securityRules`),
        ...serviceEndpointCauses(serviceEndpoints ?? [], `${at}.serviceEndpoints`),
        ...privateEndpointCauses(privateEndpoints ?? [], `${at}.privateEndpoints`, taken),
      ];
    }),
  ];
};
