import { userDataRoutes } from "@capstan/kit/delivery";
import type { PoolBootstrap, PoolWriting } from "@capstan/kit/machine";
import { azureStack } from "../cloud/azure-environments.ts";
import { bootstrapExtension } from "../bootstrap-check/bootstrap-extension.ts";
import { isExtensionAsked } from "../bootstrap-check/extension-check.ts";
import type { VirtualMachineSku } from "../cloud/skus.ts";
import { skuOf } from "../cloud/skus.ts";
import type { DesiredExtension } from "../cloud/vm-extension.ts";
import { poolRef } from "../cluster/load-balancer-bodies.ts";
import { refs } from "../cluster/place.ts";
import { isIPv6 } from "../cluster/subnet-defaults.ts";
import { customDataLimitBytes, passwordOf } from "../machine/create-machine.ts";
import { userExtensions } from "../machine/extensions.ts";
import { subnetOf } from "../machine/machine-plan.ts";
import { isCapable } from "../machine/size-check.ts";
import { givenSshKey, unknownSshKey } from "../machine/ssh-key.ts";
import { vmBody } from "../machine/vm-body.ts";
import type { PoolContext, PoolPlan } from "./pool-plan.ts";
import { imageFacts, poolTags } from "./pool-plan.ts";
import type { CardModel, ScaleSetFacts } from "./scale-set-body.ts";

export type WritingContext = PoolContext & PoolBootstrap & PoolWriting;

const isWindows = ({ spec }: PoolPlan): boolean => spec.osDisk.osType.toLowerCase() === "windows";

/** Extensions of the model: those of the user, and beside them that which checks bootstrapping. */
const extensionsOf = (
  { infraCluster, report }: WritingContext,
  plan: PoolPlan,
  sku: VirtualMachineSku | undefined,
): readonly DesiredExtension[] => {
  const { checker, waitMs } = report;
  const own = userExtensions(plan);
  if (!isExtensionAsked(plan.spec, { checker, infraCluster })) return own;
  const architecture = sku?.capabilities["CpuArchitectureType"];
  return [...own, bootstrapExtension({ os: isWindows(plan) ? "Windows" : "Linux", architecture, waitMs })];
};

/** Network cards of every machine. Throws `azure.subnet_unknown`. */
export const cardsOf = (
  context: PoolContext,
  plan: PoolPlan,
  sku: VirtualMachineSku | undefined,
): readonly CardModel[] => {
  const { name, place, spec } = plan;
  const { nodeOutboundLB } = place.spec.networkSpec;
  return spec.networkInterfaces.map((card, index) => {
    const subnet = subnetOf(context, plan, { subnetName: card.subnetName });
    const isOutbound = index === 0 && subnet.natGateway === undefined && nodeOutboundLB !== undefined;
    return {
      name: `${name}-nic-${index}`,
      subnet: refs.subnet(place, subnet.name).id,
      hasIPv6: subnet.cidrBlocks.some(isIPv6),
      addresses: card.privateIPConfigs,
      isAccelerated:
        card.acceleratedNetworking ?? (sku !== undefined && isCapable(sku, "AcceleratedNetworkingEnabled")),
      pools: isOutbound
        ? [poolRef(refs.loadBalancer(place, nodeOutboundLB.name), nodeOutboundLB.backendPool.name).id]
        : [],
    };
  });
};

/** Returns the facts that the model is made from, with the current bootstrap data. */
export const modelOf = async (
  context: WritingContext,
  plan: PoolPlan,
  { capacity, gzip }: { readonly capacity: number; readonly gzip: boolean },
): Promise<ScaleSetFacts> => {
  const { api, bootstrap, bootstrapDigest, call, random } = context;
  const { name, place, spec, zones } = plan;
  const sku = skuOf(await api.skus(place.spec.location, call), spec.vmSize);
  const key = spec.sshPublicKey ?? "";
  const unknownKey = key === "" && !isWindows(plan) ? await unknownSshKey() : "";
  const { base64: customData } = await bootstrap.deliver(userDataRoutes({ limitBytes: customDataLimitBytes, gzip }));
  const tags = poolTags(plan, bootstrapDigest);
  const machine = vmBody(spec, {
    name,
    location: place.spec.location,
    isStack: place.spec.azureEnvironment === azureStack,
    extendedLocation: place.spec.extendedLocation,
    tags,
    zone: zones[0],
    sku: sku ?? { capabilities: {} },
    customData,
    networkInterfaces: [],
    availabilitySet: undefined,
    image: imageFacts(context),
    sshKey: key === "" ? unknownKey : givenSshKey(key),
    adminPassword: passwordOf(random.bytes(100)),
  });
  return { capacity, machine, cards: cardsOf(context, plan, sku), extensions: extensionsOf(context, plan, sku), tags };
};
