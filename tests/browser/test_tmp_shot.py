import pytest, os
from tests.browsing import PHONE, LAPTOP
from tests.battles.conftest import *
from battles.pathfinder.demo import load_demo
from tests.kingdom.conftest import make_user
def test_shot(transactional_db, open_page, sign_in):
    gm = make_user("gm"); campaign = load_demo(owner=gm)
    for n,(view,dark,lang) in enumerate([(LAPTOP,False,"en"),(LAPTOP,True,"fr"),(PHONE,False,"en"),(PHONE,True,"fr")]):
        p = open_page(viewport=view, dark=dark, language=lang)
        sign_in(p, gm)
        for path in os.environ["SHOT"].split():
            p.goto(f"/c/{campaign.pk}/{path}", timeout=90000)
            p.wait_for_timeout(500)
            if os.environ.get("CLICK"): p.click(os.environ["CLICK"])
            for _ in range(60):
                if p.locator("[hx-trigger*='load delay']").count()==0: break
                p.wait_for_timeout(500)
            p.screenshot(path=f"/tmp/shot{n}-{path.split('?')[0].strip('/').replace('/','-')}.png", full_page=True)
