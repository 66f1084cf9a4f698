"""One browser for all tests of a process, between which others run loops of their own."""

import asyncio


async def answer():
    """Something that needs a loop."""
    await asyncio.sleep(0)
    return 42


USED = []


def test_a_browser_is_there(browser):
    """As whoever asks first gets it."""
    page = browser.new_page()
    assert 3 == page.evaluate("1 + 2")
    page.close()
    USED.append(browser)


def test_loops_can_be_run_between():
    """Playwright's own loop is in nobody's way."""
    assert 42 == asyncio.run(answer())


def test_the_same_browser_goes_on(browser):
    """Nothing was started again."""
    page = browser.new_page()
    assert 3 == page.evaluate("Promise.resolve(3)")
    page.close()
    assert [browser] == USED
