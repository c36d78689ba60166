#!/usr/bin/env python3
"""The Kubernetes manifests render, agree with each other, and use flags that Twintree has."""

import copy
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import manifests
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[3]
BASE = ROOT / "deploy/kustomize/base"
SITE = ROOT / "deploy/kustomize/site"


def render(folder):
    command = ["kubectl", "kustomize", str(folder)]
    text = subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
    return list(yaml.safe_load_all(text))


def knows_options():
    """Is kubectl new enough for options of single generators?"""
    command = ["kubectl", "version", "--client", "--output=json"]
    text = subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
    version = re.search(r'"gitVersion": *"v(\d+)\.(\d+)', text)
    return (int(version[1]), int(version[2])) >= (1, 21)


def find(objects, kind, name):
    return next(
        thing
        for thing in objects
        if thing["kind"] == kind and thing["metadata"]["name"].startswith(name)
    )


class KustomizeTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.objects = render(BASE)

    def test_all_objects_are_there(self):
        kinds = sorted(thing["kind"] for thing in self.objects)
        self.assertEqual(
            kinds,
            ["ConfigMap"] * 2
            + ["Deployment"]
            + ["NetworkPolicy"] * 2
            + ["PodDisruptionBudget"]
            + ["Service"] * 3
            + ["StatefulSet"],
        )

    def test_objects_agree(self):
        self.assertEqual(manifests.problems(self.objects), [])

    def test_version_is_that_of_the_image_and_of_the_program(self):
        labels = find(self.objects, "Service", "twintree-ldap")["metadata"]["labels"]
        version = labels["app.kubernetes.io/version"]
        for workload in manifests.workloads(self.objects):
            image = manifests.containers_of(workload)[0]["image"]
            self.assertEqual(image, f"twintree:{version}")
        project = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
        self.assertEqual(re.search(r"(?m)^  VERSION (\S+)$", project)[1], version)

    def test_pods_log_json(self):
        for name in ("twintree-directory", "twintree-gateway"):
            data = find(self.objects, "ConfigMap", name)["data"]
            self.assertEqual(data["TWINTREE_LOG_FORMAT"], "json")

    def test_ldap_service_has_the_well_known_ports(self):
        service = find(self.objects, "Service", "twintree-ldap")
        ports = {port["name"]: port["port"] for port in service["spec"]["ports"]}
        self.assertEqual(ports, {"ldap": 389, "ldaps": 636})

    def test_both_processes_share_one_gateway_token(self):
        secrets = set()
        for workload in manifests.workloads(self.objects):
            flags = manifests.flags_of(manifests.containers_of(workload)[0])
            mount = os.path.dirname(flags["gateway-token-file"])
            name = next(
                m["name"]
                for m in manifests.containers_of(workload)[0]["volumeMounts"]
                if m["mountPath"] == mount
            )
            volumes = {volume["name"]: volume for volume in manifests.pod_of(workload)["volumes"]}
            secrets.add(volumes[name]["secret"]["secretName"])
        self.assertEqual(secrets, {"twintree-gateway"})

    def test_readme_says_how_to_make_every_secret(self):
        readme = (ROOT / "deploy/README.md").read_text(encoding="utf-8")
        for workload in manifests.workloads(self.objects):
            for volume in manifests.pod_of(workload)["volumes"]:
                if "secret" in volume:
                    name = volume["secret"]["secretName"]
                    self.assertRegex(readme, rf"create secret \w+ {name}\b")

    def test_readme_makes_its_namespace_and_stays_in_it(self):
        readme = (ROOT / "deploy/README.md").read_text(encoding="utf-8")
        namespace = re.search(r"(?m)^    namespace: (\S+)$", readme)[1]
        commands = re.findall(r"kubectl ([^`\n]*)", readme)
        self.assertEqual(commands[0], f"create namespace {namespace}")
        for command in commands[1:]:
            # The kustomization names the namespace of what is applied.
            if command != "apply -k .":
                self.assertTrue(command.startswith(f"-n {namespace} "), command)

    def test_image_runs_as_the_user_of_the_pods(self):
        dockerfile = (ROOT / "deploy/Dockerfile").read_text(encoding="utf-8")
        user, group = re.search(r"^USER (\d+):(\d+)$", dockerfile, re.MULTILINE).groups()
        for workload in manifests.workloads(self.objects):
            context = manifests.pod_of(workload)["securityContext"]
            self.assertEqual((context["runAsUser"], context["runAsGroup"]), (int(user), int(group)))

    def test_twintree_knows_every_flag_and_variable(self):
        executable = os.environ.get("TWINTREE_EXECUTABLE")
        if not executable:
            self.skipTest("the executable is not part of this build")
        for workload in manifests.workloads(self.objects):
            container = manifests.containers_of(workload)[0]
            used = set(manifests.flags_of(container))
            source = container["envFrom"][0]["configMapRef"]["name"]
            for variable in find(self.objects, "ConfigMap", source)["data"]:
                used.add(variable[len("TWINTREE_") :].lower().replace("_", "-"))
            text = subprocess.run(
                [executable, container["args"][0], "--help"],
                check=True,
                stdout=subprocess.PIPE,
                encoding="utf-8",
            ).stdout
            known = set(re.findall(r"--([a-z][a-z-]*)", text))
            self.assertEqual(used - known, set())


class SiteTest(unittest.TestCase):
    """The example of a site: files for the directory, and the pod that has its volume meanwhile."""

    @classmethod
    def setUpClass(cls):
        if not knows_options():
            raise unittest.SkipTest("kubectl is older than 1.21, which the example of a site needs")
        cls.objects = render(SITE)
        cls.directory = find(cls.objects, "StatefulSet", "twintree-directory")
        cls.offline = yaml.safe_load((SITE / "offline-pod.yaml").read_text(encoding="utf-8"))

    def test_objects_agree(self):
        self.assertEqual(manifests.problems(self.objects), [])

    def test_settings_name_files_that_are_mounted(self):
        data = find(self.objects, "ConfigMap", "twintree-directory")["data"]
        files = find(self.objects, "ConfigMap", "twintree-site")["data"]
        (mount,) = [
            mount["mountPath"]
            for mount in manifests.containers_of(self.directory)[0]["volumeMounts"]
            if mount["name"] == "site"
        ]
        for variable in ("TWINTREE_ACCESS", "TWINTREE_SCHEMA"):
            folder, name = os.path.split(data[variable])
            self.assertEqual(folder, mount)
            self.assertIn(name, files)

    def test_a_directory_starts_with_its_files(self):
        executable = os.environ.get("TWINTREE_EXECUTABLE")
        if not executable:
            self.skipTest("the executable is not part of this build")
        data = find(self.objects, "ConfigMap", "twintree-directory")["data"]
        with tempfile.TemporaryDirectory() as folder:
            server = subprocess.Popen(
                [executable, "directory", f"--data={folder}/data", "--grpc-listen=127.0.0.1:0",
                 "--http-listen=127.0.0.1:0", f"--suffix={data['TWINTREE_SUFFIX']}",
                 f"--access={SITE / 'access.yaml'}", f"--schema={SITE / 'site.schema'}"],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
            try:
                lines = []
                for line in server.stdout:
                    lines.append(line)
                    if re.match(r"\S+ info ready", line):
                        server.terminate()
                self.assertEqual(server.wait(30), 0, lines)
                self.assertRegex("".join(lines), "info ready")
            finally:
                server.kill()
                server.wait()
                server.stdout.close()

    def test_the_offline_pod_is_like_the_directory(self):
        pod, container = self.offline["spec"], self.offline["spec"]["containers"][0]
        original = manifests.containers_of(self.directory)[0]
        self.assertEqual(pod["securityContext"],
                         manifests.pod_of(self.directory)["securityContext"])
        for key in ("securityContext", "resources", "image"):
            self.assertEqual(container[key], original[key], key)
        (claim,) = self.directory["spec"]["volumeClaimTemplates"]
        names = {v["persistentVolumeClaim"]["claimName"] for v in pod["volumes"]
                 if "persistentVolumeClaim" in v}
        self.assertEqual(names, {f"{claim['metadata']['name']}-twintree-directory-0"})
        data = find(self.objects, "ConfigMap", "twintree-directory")["data"]
        for variable in container["env"]:
            if variable["name"] != "TWINTREE_DATA":
                self.assertEqual(variable["value"], data[variable["name"]])


class ManifestChecksTest(unittest.TestCase):
    """Each check finds the mistake it is there for."""

    @classmethod
    def setUpClass(cls):
        cls.rendered = render(BASE)

    def setUp(self):
        self.objects = copy.deepcopy(self.rendered)

    def of(self, kind, name):
        return find(self.objects, kind, name)

    def pod(self, kind, name):
        return manifests.pod_of(self.of(kind, name))

    def assert_found(self, words):
        found = manifests.problems(self.objects)
        self.assertTrue(any(words in problem for problem in found), found)

    def test_service_without_pods(self):
        self.of("Service", "twintree-ldap")["spec"]["selector"]["app.kubernetes.io/component"] = "x"
        self.assert_found("Service twintree-ldap selects 0 workloads")

    def test_service_to_an_unknown_port(self):
        self.of("Service", "twintree-ldap")["spec"]["ports"][0]["targetPort"] = "lpad"
        self.assert_found("leads to port lpad")

    def test_pod_without_its_selector_label(self):
        template = self.of("StatefulSet", "twintree-directory")["spec"]["template"]
        del template["metadata"]["labels"]["app.kubernetes.io/component"]
        self.assert_found("does not select exactly its own pods")

    def test_missing_recommended_label(self):
        del self.of("Service", "twintree-ldap")["metadata"]["labels"]["app.kubernetes.io/part-of"]
        self.assert_found("without ['part-of']")

    def test_missing_label_of_a_pod_template(self):
        template = self.of("Deployment", "twintree-gateway")["spec"]["template"]
        del template["metadata"]["labels"]["app.kubernetes.io/managed-by"]
        self.assert_found("pod template of Deployment twintree-gateway has labels")

    def test_claim_template_that_changes_with_the_version(self):
        (claim,) = self.of("StatefulSet", "twintree-directory")["spec"]["volumeClaimTemplates"]
        claim["metadata"]["labels"]["app.kubernetes.io/version"] = "0.1.0"
        self.assert_found("claim template of StatefulSet twintree-directory has labels")

    def test_object_of_another_version(self):
        self.of("Service", "twintree-ldap")["metadata"]["labels"]["app.kubernetes.io/version"] = "9"
        self.assert_found("there are versions")

    def test_probe_of_an_unknown_port(self):
        container = self.pod("Deployment", "twintree-gateway")["containers"][0]
        container["readinessProbe"]["httpGet"]["port"] = "metrics"
        self.assert_found("readinessProbe asks port metrics")

    def test_liveness_that_tests_the_store(self):
        container = self.pod("StatefulSet", "twintree-directory")["containers"][0]
        container["livenessProbe"]["httpGet"]["path"] = "/readyz"
        self.assert_found("probes ask")

    def test_writable_root(self):
        container = self.pod("Deployment", "twintree-gateway")["containers"][0]
        container["securityContext"]["readOnlyRootFilesystem"] = False
        self.assert_found("container gateway is not confined")

    def test_root_user(self):
        self.pod("Deployment", "twintree-gateway")["securityContext"]["runAsUser"] = 0
        self.assert_found("may run as root")

    def test_unknown_config_map(self):
        container = self.pod("Deployment", "twintree-gateway")["containers"][0]
        container["envFrom"][0]["configMapRef"]["name"] = "gone"
        self.assert_found("reads ConfigMap gone")

    def test_volume_that_is_not_mounted(self):
        self.pod("Deployment", "twintree-gateway")["volumes"].append({"name": "x", "emptyDir": {}})
        self.assert_found("has volumes")

    def test_secret_file_outside_its_mount(self):
        container = self.pod("Deployment", "twintree-gateway")["containers"][0]
        container["args"].append("--tls-client-ca=/etc/ca.crt")
        self.assert_found("--tls-client-ca=/etc/ca.crt is in no mounted volume")

    def test_listener_on_the_loopback_interface(self):
        args = self.pod("Deployment", "twintree-gateway")["containers"][0]["args"]
        args[args.index("--ldap-listen=0.0.0.0:1389")] = "--ldap-listen=127.0.0.1:1389"
        self.assert_found("listens at 127.0.0.1:1389")

    def test_gateway_without_a_directory(self):
        self.of("Service", "twintree-directory-headless")["metadata"]["name"] = "renamed"
        self.assert_found("looks for the directory at")

    def test_variables_named_after_services(self):
        del self.pod("Deployment", "twintree-gateway")["enableServiceLinks"]
        self.assert_found("gets variables named after Services")

    def test_policy_that_forgets_a_port(self):
        del self.of("NetworkPolicy", "twintree-gateway")["spec"]["ingress"][0]["ports"][1]
        self.assert_found("NetworkPolicy twintree-gateway opens")

    def test_budget_that_blocks_every_drain(self):
        self.of("Deployment", "twintree-gateway")["spec"]["replicas"] = 1
        self.assert_found("lets no pod of Deployment twintree-gateway go")

    def test_two_writers_of_one_store(self):
        self.of("StatefulSet", "twintree-directory")["spec"]["replicas"] = 2
        self.assert_found("has 2 writers of one store")


if __name__ == "__main__":
    unittest.main()
