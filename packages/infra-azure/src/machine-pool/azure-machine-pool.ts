import { Group } from "@capstan/contract";
import type { ControllerV1 } from "@capstan/contract/v1";
import { userDataRoutes } from "@capstan/kit/delivery";
import type { PoolBootstrap, PoolWriting } from "@capstan/kit/machine-pool";
import { infraMachinePool } from "@capstan/kit/machine-pool";
import { isBeingDeleted } from "@capstan/kube-values";
import { AzureCluster } from "../api/azure-cluster.v1beta1.ts";
import { AzureMachinePool } from "../api/azure-machine-pool.v1beta1.ts";
import { AzureMachinePoolMachine } from "../api/azure-machine-pool-machine.v1beta1.ts";
import type { AzureApi } from "../cloud/azure-api.ts";
import type { Connect } from "../cloud/connections.ts";
import { skuOf } from "../cloud/skus.ts";
import type { DesiredExtension } from "../cloud/vm-extension.ts";
import { poolRef } from "../cluster/load-balancer-bodies.ts";
import { refs } from "../cluster/place.ts";
import { connectCluster } from "../identity/connect-cluster.ts";
import { identities } from "../identity/identities.ts";
import { customDataLimitBytes, passwordOf } from "../machine/create-machine.ts";
import type { MachineUses } from "../machine/machine-plan.ts";
import { clusterOf, subnetOf } from "../machine/machine-plan.ts";
import { objectStoreRequest } from "../machine/object-store-request.ts";
import { isCapable } from "../machine/size-check.ts";
import { givenSshKey, unknownSshKey } from "../machine/ssh-key.ts";
import { vmBody } from "../machine/vm-body.ts";
import type { AzureProviderOptions } from "../options.ts";
import { observePool, observePoolRemoval } from "./observe-pool.ts";
import type { PoolContext, PoolPlan } from "./pool-plan.ts";
import { poolPlan, poolTags } from "./pool-plan.ts";
import type { CardModel, ScaleSetFacts } from "./scale-set-body.ts";
import { capacityChange, scaleSetBody, scaleSetChange } from "./scale-set-body.ts";

/** Extensions of the model: those of the user. */
const extensionsOf = ({ spec }: PoolPlan): readonly DesiredExtension[] =>
  (spec.vmExtensions ?? []).map(({ name, protectedSettings, publisher, settings, version }) => ({
    name,
    publisher,
    type: name,
    version,
    ...(settings !== undefined && { settings }),
    ...(protectedSettings !== undefined && { protectedSettings }),
  }));

/** Network cards of every machine. Throws `azure.subnet_unknown`. */
const cardsOf = async (context: PoolContext, plan: PoolPlan): Promise<readonly CardModel[]> => {
  const { api, call } = context;
  const { name, place, spec } = plan;
  const sku = skuOf(await api.skus(place.spec.location, call), spec.vmSize);
  const { nodeOutboundLB } = place.spec.networkSpec;
  return spec.networkInterfaces.map((card, index) => {
    const subnet = subnetOf(context as never, plan, { subnetName: card.subnetName });
    const isOutbound = index === 0 && subnet.natGateway === undefined && nodeOutboundLB !== undefined;
    return {
      name: `${name}-nic-${index}`,
      subnet: refs.subnet(place, subnet.name).id,
      addresses: card.privateIPConfigs,
      isAccelerated:
        card.acceleratedNetworking ?? (sku !== undefined && isCapable(sku, "AcceleratedNetworkingEnabled")),
      pools: isOutbound
        ? [poolRef(refs.loadBalancer(place, nodeOutboundLB.name), nodeOutboundLB.backendPool.name).id]
        : [],
    };
  });
};

type WritingContext = PoolContext & PoolBootstrap & PoolWriting;

/** What the model is made of, with the bootstrap data as it is now. */
const modelOf = async (
  context: WritingContext,
  plan: PoolPlan,
  { capacity, gzip }: { readonly capacity: number; readonly gzip: boolean },
): Promise<ScaleSetFacts> => {
  const { api, bootstrap, bootstrapDigest, call, object, random, version } = context;
  const { name, place, spec, zones } = plan;
  const sku = skuOf(await api.skus(place.spec.location, call), spec.vmSize);
  const isWindows = spec.osDisk.osType.toLowerCase() === "windows";
  const key = spec.sshPublicKey ?? "";
  const sshKey = isWindows ? "" : key === "" ? await unknownSshKey() : givenSshKey(key);
  const { base64: customData } = await bootstrap.deliver(userDataRoutes({ limitBytes: customDataLimitBytes, gzip }));
  const tags = poolTags(plan, bootstrapDigest);
  const machine = vmBody(spec, {
    name,
    location: place.spec.location,
    extendedLocation: place.spec.extendedLocation,
    tags,
    zone: zones[0],
    sku: sku ?? { capabilities: {} },
    customData,
    networkInterfaces: [],
    availabilitySet: undefined,
    image: { version, windowsServerVersion: object.metadata.annotations?.["windowsServerVersion"] },
    sshKey,
    adminPassword: passwordOf(random.bytes(100)),
  });
  return { capacity, machine, cards: await cardsOf(context, plan), extensions: extensionsOf(plan), tags };
};

const capacityNow = async ({ api, call }: PoolContext, { set }: PoolPlan): Promise<number> => {
  const { sku } = ((await api.find(set, call)) ?? {}) as { readonly sku?: { readonly capacity?: number } };
  return sku?.capacity ?? 0;
};

/** Scale sets at Azure as machine pools of Cluster API. */
export const azureMachinePool = (connect: Connect, options: AzureProviderOptions): ControllerV1 => {
  const { gzip = false } = options;
  return infraMachinePool<AzureMachinePool, AzureApi, AzureCluster, MachineUses>({
    kind: AzureMachinePool,
    clusterKind: AzureCluster,
    machineKind: AzureMachinePoolMachine,
    finalizer: `azuremachinepool.${Group.infrastructure}`,
    concurrency: options.machineConcurrency ?? 20,
    formats: ["cloud-config", "ignition"],
    uses: { identities: identities() },
    connect: ({ credentialsOf, infraCluster, object, uses }) =>
      connectCluster(
        { cluster: clusterOf({ infraCluster, object: object as never }), identities: uses.identities, credentialsOf },
        connect,
        options,
      ),
    objectStore: ({ infraCluster }) => objectStoreRequest(infraCluster),
    strategy: ({ object }) => {
      const { deletePolicy = "Oldest", maxSurge = 1, maxUnavailable = 0 } = object.spec?.strategy?.rollingUpdate ?? {};
      return { deletePolicy, maxSurge, maxUnavailable };
    },
    observe: (context) => (isBeingDeleted(context.object) ? observePoolRemoval(context) : observePool(context)),
    create: async (context) => {
      const plan = poolPlan(context);
      const facts = await modelOf(context, plan, { capacity: context.capacity, gzip });
      await context.api.put(plan.set, scaleSetBody(plan, facts), context.call);
    },
    steps: {
      update: async (context) => {
        const plan = poolPlan(context);
        const capacity = await capacityNow(context, plan);
        const facts = await modelOf(context, plan, { capacity, gzip });
        await context.api.patch(plan.set, scaleSetChange(plan, facts), context.call);
      },
    },
    scale: async (context) => {
      const plan = poolPlan(context);
      await context.api.patch(plan.set, capacityChange(plan, context.capacity), context.call);
    },
    remove: async ({ api, call, ...context }) => {
      const plan = poolPlan({ ...context, api, call });
      await api.remove(plan.set, call, { forceDeletion: "true" });
    },
  });
};
