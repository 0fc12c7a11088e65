"""What a build takes over from this machine's apt and pip."""

from __future__ import annotations

from assay.sandboxes.image import machine_settings


def test_apt_keeps_proxies_and_drops_what_the_build_has_not():
    dump = (
        'Acquire::http::Proxy "http://cache:3142";\nAcquire::https::CAInfo "/somewhere/ca.pem";\n'
        'Acquire::Retries "3";\nAcquire::cdrom::mount "/media";\nAcquire::http::Proxy-Auto-Detect "/x";\n'
    )
    text = machine_settings.apt_configuration(dump, {"ca.crt": "/run/secrets/ca.crt"})
    assert 'Acquire::http::Proxy "http://cache:3142";' in text and 'Acquire::Retries "3";' in text
    assert "/somewhere" not in text and "cdrom" not in text and "Auto-Detect" not in text
    assert 'Acquire::https::CAInfo "/run/secrets/ca.crt";' in text and "sourcelist" not in text


def test_debians_own_mirrors_are_asked_for_the_images_release_and_others_are_not(tmp_path):
    (tmp_path / "sources.list").write_text(
        "# deb http://old/debian bookworm main\n"
        "deb [arch=amd64] http://mirror/debian bookworm main contrib # ours\n"
        "deb-src http://mirror/debian bookworm main\n"
        "deb http://mirror/debian trixie main\n"
        "deb http://mirror/security bullseye/updates main\n"
        "deb http://archive.other/ubuntu jammy main\n"
        "deb https://browser.other/deb stable main\n"
        "deb https://download.other/debian bookworm stable\n"
        "deb [signed-by=/usr/share/keyrings/other.gpg] http://other/debian bookworm main\n"
    )
    (tmp_path / "sources.list.d").mkdir()
    (tmp_path / "sources.list.d/debian.sources").write_text(
        "Types: deb\nURIs: http://a/debian http://b/debian\nSuites: bookworm bookworm-updates\n"
        "Components: main\nSigned-By: /usr/share/keyrings/debian-archive-keyring.gpg\n\n"
        "Types: deb\nURIs: http://off/debian\nSuites: bookworm\nComponents: main\nEnabled: no\n"
    )
    assert machine_settings.debian_sources(tmp_path).splitlines() == [
        "deb http://mirror/debian trixie main",
        "deb http://mirror/security trixie-security main",
        "deb http://a/debian trixie main",
        "deb http://a/debian trixie-updates main",
        "deb http://b/debian trixie main",
        "deb http://b/debian trixie-updates main",
    ]
    assert machine_settings.debian_sources(tmp_path / "nowhere") == ""


def test_pips_sources_and_local_folders_are_handed_over(tmp_path):
    wheels, index = tmp_path / "wheels", tmp_path / "index/simple"
    wheels.mkdir()
    index.mkdir(parents=True)
    listing = (
        f"global.index-url='https://me:secret@mirror/simple'\n"
        f"global.extra-index-url='file://{index} https://other/simple'\n"
        f"global.find-links='/old'\n"
        f"global.cert='/etc/my.pem'\n:env:.find-links='{wheels}'\n:env:.default-timeout='180'\n"
    )
    text, volumes = machine_settings.pip_configuration(listing)
    assert "index-url = https://me:secret@mirror/simple\n" in text and "default-timeout = 180" in text
    assert "cert" not in text and str(tmp_path) not in text and "/old" not in text
    assert set(volumes) == {str(wheels), str(index.parent)}
    assert f"file://{volumes[str(index.parent)]}/simple" in text and volumes[str(wheels)] in text
    assert machine_settings.pip_configuration("") == ("", {})
