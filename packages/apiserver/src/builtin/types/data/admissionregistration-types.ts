import type { TypeTable } from "../type-table.ts";

/** Types of admissionregistration.k8s.io/v1; the notation is described at `TypeTable`. Source: Kubernetes 1.36. */
export const admissionregistrationTypes: TypeTable = {
  AuditAnnotation: "key 1 string required; valueExpression 2 string required",
  ExpressionWarning: "fieldRef 2 string required; warning 3 string required",
  MatchCondition: "name 1 string required; expression 2 string required",
  MatchResources:
    "@atomic; namespaceSelector 1 LabelSelector; objectSelector 2 LabelSelector; resourceRules 3 [NamedRuleWithOperations]; excludeResourceRules 4 [NamedRuleWithOperations]; matchPolicy 7 string?",
  MutatingWebhook:
    "name 1 string required; clientConfig 2 WebhookClientConfig required; rules 3 [RuleWithOperations]; failurePolicy 4 string?; matchPolicy 9 string?; namespaceSelector 5 LabelSelector; objectSelector 11 LabelSelector; sideEffects 6 string? required; timeoutSeconds 7 int32?; admissionReviewVersions 8 [string] required; reinvocationPolicy 10 string?; matchConditions 12 [MatchCondition] map(name) patch(merge:name)",
  MutatingWebhookConfiguration: "metadata 1 ObjectMeta; webhooks 2 [MutatingWebhook] map(name) patch(merge:name)",
  NamedRuleWithOperations: "@atomic; resourceNames 1 [string]; ... 2 RuleWithOperations",
  ParamKind: "@atomic; apiVersion 1 string; kind 2 string",
  ParamRef: "@atomic; name 1 string; namespace 2 string; selector 3 LabelSelector; parameterNotFoundAction 4 string?",
  Rule: "apiGroups 1 [string]; apiVersions 2 [string]; resources 3 [string]; scope 4 string?",
  RuleWithOperations: "operations 1 [string]; ... 2 Rule",
  ServiceReference: "namespace 1 string required; name 2 string required; path 3 string?; port 4 int32?",
  TypeChecking: "expressionWarnings 1 [ExpressionWarning]",
  ValidatingAdmissionPolicy:
    "metadata 1 ObjectMeta; spec 2 ValidatingAdmissionPolicySpec; status 3 ValidatingAdmissionPolicyStatus",
  ValidatingAdmissionPolicyBinding: "metadata 1 ObjectMeta; spec 2 ValidatingAdmissionPolicyBindingSpec required",
  ValidatingAdmissionPolicyBindingSpec:
    "policyName 1 string required; paramRef 2 ParamRef; matchResources 3 MatchResources; validationActions 4 [string] required set",
  ValidatingAdmissionPolicySpec:
    "paramKind 1 ParamKind; matchConstraints 2 MatchResources; validations 3 [Validation]; failurePolicy 4 string?; auditAnnotations 5 [AuditAnnotation]; matchConditions 6 [MatchCondition] map(name) patch(merge:name); variables 7 [Variable] map(name) patch(merge:name)",
  ValidatingAdmissionPolicyStatus:
    "observedGeneration 1 int64; typeChecking 2 TypeChecking; conditions 3 [Condition] map(type)",
  ValidatingWebhook:
    "name 1 string required; clientConfig 2 WebhookClientConfig required; rules 3 [RuleWithOperations]; failurePolicy 4 string?; matchPolicy 9 string?; namespaceSelector 5 LabelSelector; objectSelector 10 LabelSelector; sideEffects 6 string? required; timeoutSeconds 7 int32?; admissionReviewVersions 8 [string] required; matchConditions 11 [MatchCondition] map(name) patch(merge:name)",
  ValidatingWebhookConfiguration: "metadata 1 ObjectMeta; webhooks 2 [ValidatingWebhook] map(name) patch(merge:name)",
  Validation: "expression 1 string required; message 2 string; reason 3 string?; messageExpression 4 string",
  Variable: "@atomic; name 1 string required; expression 2 string required",
  WebhookClientConfig: "url 3 string?; service 1 ServiceReference; caBundle 2 bytes",
};
