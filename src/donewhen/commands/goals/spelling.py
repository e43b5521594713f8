"""One spelling for what people write in several: case, quotes, Traditional Chinese, hasty English.

For reading only: commands are slots by then, so that no label is ever changed.
"""

import re

from donewhen.commands.goals.clean import SLOT
from donewhen.core.lazy import lazy

# Traditional characters of words that frames and verbs of work are made of, each before its simplified one.
_PAIRS = (
    "實实 現现 開开 發发 復复 構构 遷迁 級级 從从 頭头 寫写 優优 轉转 換换 擴扩 補补 齊齐 創创 設设 計计 "
    "並并 個个 單单 測测 試试 過过 確确 認认 證证 須须 "
    "務务 應应 該该 運运 執执 結结 條条 標标 準准 則则 驗验 檢检 項项 後后 為为 對对 無无 錯错 誤误 報报 "
    "還还 綠绿 紅红 門门 關关 將将 讓让 會会 種种 這这 "
    "們们 兩两 幾几 點点 擊击 顯显 說说 稱称 時时 間间 選选 擇择 備备 裝装 環环 動动 處处 統统 維维 護护 "
    "刪删 減减 產产 線线 繼继 續续 終终 導导 鏈链 傳传 "
    "輸输 別别 碼码 庫库 據据 資资 類类 義义 內内 異异 當当 歷历 連连 組组 樣样 給给 幫帮 請请 問问 嗎吗 "
    "麼么 邊边 樓楼 於于 機机 長长 達达 輯辑 啟启 斷断 "
    "節节 錄录 頁页 號号 歸归 讀读 進进 採采 專专 規规 響响 數数 壞坏 掛挂 絕绝 許许 盡尽 訊讯 話话 腳脚 "
    "沒没 經经 剛刚 週周 題题 檔档 與与 隨随 屬属 僅仅 "
    "強强 製制 範范 圍围 質质 鍵键 態态 總总 煩烦 變变 幹干 淨净 跡迹 願愿 餘余 簡简 體体 舊旧 淺浅 棄弃 "
    "譯译 塊块 "
)
_LETTERS = str.maketrans({pair[0]: pair[1] for pair in _PAIRS.split()} | {"’": "'", "‘": "'"})
_WORDS = {"實作": "实现", "程式": "程序", "介面": "界面", "全數": "全部", "測項": "测试"}
_HASTY = {
    "dont": "don't", "doesnt": "doesn't", "cant": "can't", "wont": "won't", "mustnt": "mustn't",
    "shouldnt": "shouldn't", "isnt": "isn't", "arent": "aren't", "neednt": "needn't", "didnt": "didn't",
    "til": "until", "'til": "until", "untill": "until", "u": "you", "pls": "please", "plz": "please",
    "b4": "before", "wanna": "want to", "needa": "need to", "w/o": "without", "w/": "with", "ur": "your",
    "thats": "that's", "im": "i'm", "ive": "i've", "youre": "you're",
}  # fmt: skip
_WORD = lazy(r"(?<![\w'/.-])(?:" + "|".join(map(re.escape, _HASTY)) + r")(?![\w'/-]|\.\w)")
_ARE = lazy(r"(?<=[ " + SLOT + r"])r(?= (?:all |both )?(?:green|ok|clean|passing|done|good|fine|happy)\b)")
_AND = lazy(rf"(?<={SLOT}) (?:n|an|'n'|nd) (?={SLOT})")


def readable(text: str) -> str:
    """Lower case, single spaces, one spelling; slots stay."""
    text = re.sub(r"[ \t\n]+", " ", text.lower()).strip()
    for written, meant in _WORDS.items():
        text = text.replace(written, meant)
    text = text.translate(_LETTERS)
    text = _WORD.sub(lambda word: _HASTY[word[0]], text)
    return _AND.sub(" and ", _ARE.sub("are", text))
